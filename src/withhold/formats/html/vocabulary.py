"""The words of HTML, SVG, MathML and CSS that a page may use: what is not here does not reach the output."""

from __future__ import annotations

import re


def words(text: str) -> frozenset[str]:
    return frozenset(text.split())


VOID = words("area br col hr img input wbr")
SVG = words(
    """
    svg a circle clippath defs desc ellipse g line lineargradient marker mask path pattern polygon polyline
    radialgradient rect stop switch symbol text textpath title tspan use
    """
)
INLINE = words(
    """
    a abbr acronym area b bdi bdo big br cite code data del dfn em font i img input ins kbd label map mark math
    meter nobr output picture progress q rb ruby s samp slot small span strike strong sub sup time tt u var
    wbr merror mfrac mi mn mo mover mpadded mphantom mroot mrow ms mspace msqrt mstyle msub msubsup msup mtext
    munder munderover mmultiscripts mprescripts none semantics
    """
) | (SVG - words("svg text title desc"))
"""Elements that do not end a stretch of text: what they hold reads on from what stands before them."""

ISLANDS = words("button desc rp rt rtc select svg textarea title")
"""Elements in the middle of a stretch of text whose own text is no part of it."""

EMPTIABLE = words(
    """
    a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark nobr q s samp small span
    strike strong sub sup time tspan tt u var
    """
)
"""Elements that go with their text when an edit takes all of it."""

BLOCKS = words(
    """
    address article aside blockquote body button caption center col colgroup dd details dialog dir div dl dt
    fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol
    optgroup option p pre rp rt rtc search section select summary table tbody td textarea tfoot th thead title tr
    ul datalist
    """
)
MATH = words(
    """
    math merror mfrac mi mmultiscripts mn mo mover mpadded mphantom mprescripts mroot mrow ms mspace msqrt mstyle
    msub msubsup msup mtable mtd mtext mtr munder munderover none semantics
    """
)
TAGS = BLOCKS | INLINE | SVG | MATH
HTML = (BLOCKS | INLINE) - MATH - SVG - words("body html") | words("a svg math")
"""Elements that may stand in the text of a page, and what may stand there for a drawing or a formula."""

UNSEEN_IN_DRAWINGS = words("annotation annotation-xml feimage metadata")
"""Elements that browsers do not know, and show, outside drawings and formulas."""

UNSEEN_VOID = words("base basefont bgsound embed frame image link meta param source track")
"""Dropped elements that hold nothing: what seems to stand in them stands after them."""

DROPPED = {
    "script": "scripts",
    "noscript": "parts for browsers without scripts",
    "template": "templates",
    "iframe": "frames",
    "frame": "frames",
    "frameset": "frames",
    "noframes": "frames",
    "noembed": "embedded objects",
    "object": "embedded objects",
    "embed": "embedded objects",
    "applet": "embedded objects",
    "param": "embedded objects",
    "audio": "sounds and films",
    "video": "sounds and films",
    "source": "sounds and films",
    "track": "sounds and films",
    "bgsound": "sounds and films",
    "canvas": "canvases",
    "meta": "metadata elements",
    "base": "base addresses",
    "basefont": "base fonts",
    "link": "linked files",
    "metadata": "drawing metadata",
    "annotation": "formula annotations",
    "annotation-xml": "formula annotations",
    "image": "pictures in drawings",
    "feimage": "pictures in drawings",
}
"""Elements that go with all they hold, and what a notice calls them."""

RENAMED = {"xmp": "pre", "listing": "pre", "plaintext": "pre", "marquee": "div", "keygen": "span"}

TEXT_ATTRIBUTES = {
    "alt": "alt text",
    "title": "tooltip",
    "abbr": "label",
    "aria-label": "label",
    "aria-description": "label",
    "aria-placeholder": "label",
    "aria-roledescription": "label",
    "aria-valuetext": "label",
    "datetime": "date",
    "download": "file name",
    "label": "label",
    "placeholder": "label",
    "summary": "label",
    "value": "label",
}
LINK_ATTRIBUTES = words("action background cite formaction href longdesc src srcset")
NAME_ATTRIBUTES = words(
    """
    aria-activedescendant aria-controls aria-describedby aria-details aria-errormessage aria-flowto
    aria-labelledby aria-owns class face font-family for form headers id list name usemap
    """
)
VALUE_ATTRIBUTES = words(
    """
    accent align aria-atomic aria-autocomplete aria-busy aria-checked aria-colcount aria-colindex aria-colspan
    aria-current aria-disabled aria-expanded aria-haspopup aria-hidden aria-invalid aria-level aria-live
    aria-modal aria-multiline aria-multiselectable aria-orientation aria-posinset aria-pressed aria-readonly
    aria-required aria-rowcount aria-rowindex aria-rowspan aria-selected aria-setsize aria-sort aria-valuemax
    aria-valuemin aria-valuenow autocomplete autofocus bgcolor border bordercolor cellpadding cellspacing char
    charoff checked clear clip-path clip-rule clippathunits color cols colspan columnalign columnlines
    columnspacing columnspan compact contenteditable coords cx cy d decoding dir disabled display displaystyle
    dominant-baseline draggable dx dy fence fill fill-opacity fill-rule font-size font-style font-weight frame fx
    fy gradienttransform gradientunits height high hspace inputmode lang large-op letter-spacing linethickness
    link loading low lspace marginheight marginwidth marker-end marker-mid marker-start markerheight markerunits
    markerwidth mask mathvariant max maxlength maxsize method min minlength minsize multiple noshade nowrap offset
    opacity open optimum orient patterntransform patternunits points preserveaspectratio r readonly refx refy rel
    required reversed role rotate rowalign rowlines rows rowspacing rowspan rspace rules rx ry scope scriptlevel
    selected separator shape size sizes span spellcheck spreadmethod start step stop-color stop-opacity stretchy
    stroke stroke-dasharray stroke-dashoffset stroke-linecap stroke-linejoin stroke-miterlimit stroke-opacity
    stroke-width tabindex target text text-anchor text-decoration textlength transform translate type valign
    vector-effect viewbox visibility vlink vspace width wrap x x1 x2 y y1 y2
    """
)

PROPERTIES = words(
    """
    align-content align-items align-self appearance aspect-ratio backface-visibility background
    background-attachment background-clip background-color background-origin background-position
    background-position-x background-position-y background-repeat background-size block-size border border-bottom
    border-bottom-color border-bottom-left-radius border-bottom-right-radius border-bottom-style
    border-bottom-width border-collapse border-color border-left border-left-color border-left-style
    border-left-width border-radius border-right border-right-color border-right-style border-right-width
    border-spacing border-style border-top border-top-color border-top-left-radius border-top-right-radius
    border-top-style border-top-width border-width bottom box-decoration-break box-shadow box-sizing break-after
    break-before break-inside caption-side caret-color clear clip clip-rule color column-count column-fill
    column-gap column-rule column-rule-color column-rule-style column-rule-width column-span column-width columns
    cursor direction display dominant-baseline empty-cells fill fill-opacity fill-rule filter flex flex-basis
    flex-direction flex-flow flex-grow flex-shrink flex-wrap float font font-family font-kerning font-size
    font-size-adjust font-stretch font-style font-variant font-variant-caps font-variant-numeric font-weight gap
    grid-auto-columns grid-auto-flow grid-auto-rows grid-column grid-column-end grid-column-gap grid-column-start
    grid-gap grid-row grid-row-end grid-row-gap grid-row-start grid-template-columns grid-template-rows height
    hyphens inline-size inset isolation justify-content justify-items justify-self left letter-spacing line-break
    line-height list-style list-style-position list-style-type margin margin-block margin-bottom margin-inline
    margin-left margin-right margin-top max-height max-width min-height min-width mix-blend-mode object-fit
    object-position opacity order orphans outline outline-color outline-offset outline-style outline-width
    overflow overflow-wrap overflow-x overflow-y padding padding-block padding-bottom padding-inline padding-left
    padding-right padding-top page-break-after page-break-before page-break-inside perspective place-content
    place-items place-self pointer-events position resize right row-gap ruby-align ruby-position scroll-behavior
    size stop-color stop-opacity stroke stroke-dasharray stroke-dashoffset stroke-linecap stroke-linejoin
    stroke-miterlimit stroke-opacity stroke-width tab-size table-layout text-align text-align-last text-anchor
    text-decoration text-decoration-color text-decoration-line text-decoration-style text-decoration-thickness
    text-indent text-justify text-orientation text-overflow text-rendering text-shadow text-size-adjust
    text-transform text-underline-offset text-underline-position text-wrap top touch-action transform
    transform-origin transform-style unicode-bidi user-select vertical-align visibility white-space widows width
    word-break word-spacing word-wrap writing-mode z-index zoom
    """
)
COLOURS = words(
    """
    aliceblue antiquewhite aqua aquamarine azure beige bisque black blanchedalmond blue blueviolet brown burlywood
    cadetblue chartreuse chocolate coral cornflowerblue cornsilk crimson cyan darkblue darkcyan darkgoldenrod
    darkgray darkgreen darkgrey darkkhaki darkmagenta darkolivegreen darkorange darkorchid darkred darksalmon
    darkseagreen darkslateblue darkslategray darkslategrey darkturquoise darkviolet deeppink deepskyblue dimgray
    dimgrey dodgerblue firebrick floralwhite forestgreen fuchsia gainsboro ghostwhite gold goldenrod gray green
    greenyellow grey honeydew hotpink indianred indigo ivory khaki lavender lavenderblush lawngreen lemonchiffon
    lightblue lightcoral lightcyan lightgoldenrodyellow lightgray lightgreen lightgrey lightpink lightsalmon
    lightseagreen lightskyblue lightslategray lightslategrey lightsteelblue lightyellow lime limegreen linen
    magenta maroon mediumaquamarine mediumblue mediumorchid mediumpurple mediumseagreen mediumslateblue
    mediumspringgreen mediumturquoise mediumvioletred midnightblue mintcream mistyrose moccasin navajowhite navy
    oldlace olive olivedrab orange orangered orchid palegoldenrod palegreen paleturquoise palevioletred papayawhip
    peachpuff peru pink plum powderblue purple rebeccapurple red rosybrown royalblue saddlebrown salmon sandybrown
    seagreen seashell sienna silver skyblue slateblue slategray slategrey snow springgreen steelblue tan teal
    thistle tomato transparent turquoise violet wheat white whitesmoke yellow yellowgreen currentcolor canvas
    canvastext linktext windowtext window buttonface buttontext
    """
)
KEYWORDS = COLOURS | words(
    """
    absolute additive after alias all all-scroll allow-end alphabetic alternate always anywhere armenian auto
    auto-fill auto-fit avoid avoid-column avoid-page balance baseline before below bevel bidi-override block bold
    bolder border-box both bottom break-all break-spaces break-word butt capitalize caption cell center central
    circle clip clone close-quote closest-corner closest-side col-resize collapse color color-burn color-dodge
    column column-reverse common-ligatures compact condensed contain content content-box contents context-menu
    copy cover crosshair cursive cyrillic darken dashed decimal decimal-leading-zero default dense difference disc
    disclosure-closed disclosure-open distribute dot dotted double e-resize each-line ease ease-in ease-in-out
    ease-out ellipse ellipsis embed end evenodd ew-resize exclusion expanded extra-condensed extra-expanded
    fantasy farthest-corner farthest-side fill fill-box first fit-content fixed flat flex flex-end flex-start flow
    flow-root force-end from-font full-width georgian geometricprecision grab grabbing grid groove hanging
    hard-light hebrew help hidden hide hiragana horizontal horizontal-tb hue icon infinite inherit initial inline
    inline-block inline-flex inline-grid inline-table inset inside inter-character inter-word invert isolate
    isolate-override italic jump-none justify justify-all katakana keep-all landscape large larger last layout
    left legible lighten lighter line-through linear list-item local loose lower-alpha lower-greek lower-latin
    lower-roman lowercase ltr luminosity manipulation mandatory manual match-parent math max-content medium menu
    message-box middle min-content miter mixed monospace move multiply n-resize ne-resize nearest nesw-resize
    no-close-quote no-drop no-open-quote no-repeat none nonzero normal not-allowed nowrap ns-resize numbers
    nw-resize nwse-resize objects oblique off on open-quote optimizelegibility optimizequality optimizespeed
    ordinal outset outside over overlay overline padding-box page paged painted pan-x pan-y paint plaintext
    pointer portrait pre pre-line pre-wrap preserve-3d pretty progress proximity quotes radial recto relative
    repeat repeat-x repeat-y reverse revert revert-layer ridge right round row row-resize row-reverse rtl ruby
    ruby-base ruby-text run-in s-resize safe saturation scale-down screen scroll se-resize self-end self-start
    semi-condensed semi-expanded separate serif sans-serif system-ui ui-monospace ui-rounded ui-sans-serif
    ui-serif emoji show sideways sideways-lr sideways-rl slice small small-caps small-caption smaller smooth
    soft-light solid space space-around space-between space-evenly span square stable start static status-bar
    sticky stretch strict stroke sub subpixel-antialiased super sw-resize symbols table table-caption table-cell
    table-column table-column-group table-footer-group table-header-group table-row table-row-group tabular-nums
    target text text-bottom text-top thick thin titling-caps to top ultra-condensed ultra-expanded under underline
    unicase unset unsafe upper-alpha upper-latin upper-roman uppercase upright verso vertical vertical-lr
    vertical-rl vertical-text view-box visible visiblefill visiblepainted visiblestroke w-resize wait wavy weight
    wrap wrap-reverse x x-large x-small xx-large xx-small xxx-large y zoom-in zoom-out at from
    """
)
FUNCTIONS = words(
    """
    calc clamp conic-gradient cubic-bezier fit-content hsl hsla hwb linear-gradient matrix matrix3d max min minmax
    perspective radial-gradient rect repeat repeating-linear-gradient repeating-radial-gradient rgb rgba rotate
    rotate3d rotatex rotatey rotatez scale scale3d scalex scaley skew skewx skewy translate translate3d translatex
    translatey translatez blur brightness contrast drop-shadow grayscale hue-rotate invert opacity saturate sepia
    lab lch oklab oklch color-mix
    """
)
UNITS = words(
    """
    em ex ch rem lh rlh vw vh vi vb vmin vmax svh svw dvh dvw cm mm q in pt pc px deg grad rad turn s ms fr dpi
    dpcm dppx x
    """
)
PSEUDO = words(
    """
    active after any-link before checked default disabled empty enabled first first-child first-letter first-line
    first-of-type focus focus-visible focus-within has host hover in-range indeterminate invalid is last-child
    last-of-type left link marker not nth-child nth-last-child nth-last-of-type nth-of-type only-child
    only-of-type optional out-of-range placeholder placeholder-shown read-only read-write required right root
    selection target valid visited where odd even n
    """
)
MEDIA = words(
    """
    all and any-hover any-pointer aspect-ratio color coarse dark device-height device-width fine forced-colors
    height hover landscape light max-aspect-ratio max-device-height max-device-width max-height max-resolution
    max-width min-aspect-ratio min-device-height min-device-width min-height min-resolution min-width none
    no-preference not only or orientation pointer portrait prefers-color-scheme prefers-contrast
    prefers-reduced-motion print reduce resolution screen speech width media page
    """
)
CSS_WORDS = PROPERTIES | KEYWORDS | FUNCTIONS | UNITS | PSEUDO | MEDIA | TAGS | words("important moz webkit")

_VALUES = KEYWORDS | words(
    """
    0 1 true false yes no mixed _blank _self _parent _top abovenbsp absbottom absmiddle alert alertdialog
    application article ascending assertive banner box button cell char checkbox circle col colgroup columnheader
    combobox complementary contentinfo date datetime-local definition descending dialog directory document email
    eager evenodd external feed figure file form get grammar grid gridcell group groups heading hsides image img
    inline inlist input lazy lhs lhside link list listbox listitem log main mark math menu menubar menuitem
    menuitemcheckbox menuitemradio month navigation nofollow noopener noreferrer note none number
    objectboundingbox off on option password pad poly polite post presentation progressbar prev next radio
    radiogroup range rect reflect region reset rhs row rowgroup rowheader rows search searchbox select separator
    slider spinbutton spelling status step submit switch sync tab tablist tabpanel tag tel term text textbox time
    timer toolbar tooltip tree treegrid treeitem url userspaceonuse vsides void week xmidymid xminymin xmaxymax
    xmidymin xmidymax xminymid xmaxymid xminymax xmaxymin meet slice strokewidth non-scaling-stroke double-struck
    bold-italic script bold-script fraktur bold-fraktur sans-serif bold-sans-serif sans-serif-italic i a disc
    square additions location page error inherit decimal numeric vertical horizontal both
    """
)
_FIGURES = re.compile(
    r"(?>[\s,.+\-/*%():;\d]|(?<=\d)(?:" + "|".join(sorted(UNITS, key=len, reverse=True)) + r")(?![a-z])"
    r"|#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})(?![0-9a-z])|z|[mlhvcsqtae](?![a-z])"
    r"|(?:" + "|".join(sorted(FUNCTIONS, key=len, reverse=True)) + r")(?=\())*+",
    re.IGNORECASE,
)
_LANGUAGE = re.compile(r"[a-z]{2,3}(?:-[a-z]{2,4}){0,2}", re.IGNORECASE)


def plain_value(attribute: str, value: str) -> bool:
    """Whether a value is made of figures and of words of the format only, so that it tells nothing."""
    if attribute == "lang":
        return not value or _LANGUAGE.fullmatch(value) is not None
    words = value.lower().split()
    return all(word in _VALUES or word == attribute for word in words) or _FIGURES.fullmatch(value) is not None
