"""Which words are ordinary English, so that a name made of them alone says little in lower case."""

from __future__ import annotations

from withhold.detectors.company_forms import (
    ABBREVIATIONS,
    GENERIC,
    GIVEN_NAMES,
    LEGAL_FORMS,
    PARTICLES,
    PLACES,
    TAILS,
    table,
)

_ENDINGS = ("s", "es", "ed", "d", "ing", "er", "ers", "or", "ors", "r", "rs", "ly", "al", "y")
_SHORTEST_STEM = 3

_WORDS = table("""
    a able about above abroad absolute academy accept access accident accommodation account accurate achieve acid
    acquire acquisition across act action active activity actor actual acute adapt add address adjust administer
    administration admit adult advance advantage adventure advertise advice advise advisor advisory aero aerospace
    affair affect afford after afternoon again against age agency agenda agent agree agreement agri agricultural
    agriculture agro ahead aid aim air aircraft airline airport airway alarm album alcohol alert algorithm alike alive
    all alliance allied allow alloy ally almost alone along alpha already also alt alternate alternative although
    aluminium aluminum always amateur amazon amber ambient ambition ambulance amend among amount ample amplify amuse
    analog analyse analysis analyst analytics analyze anchor ancient and angel angle animal animation anniversary
    announce annual another answer antenna anti antique any apart apartment apparel appeal appear apple appliance
    application apply appoint appreciate approach appropriate approve april aqua aquatic arc arch architect
    architecture archive area arena argue arise arm army around arrange array arrest arriva arrive arrow art article
    artist arts as ash asian ask assemble assembly assess asset assign assist assistance associate associated
    association assume assure asteroid at atheism atheist athletic atlantic atlas atom atomic attach attack attempt
    attend attention attitude attract auction audience audio audit august aurora authentic author authority auto
    automate automation automobile automotive autonomous autos autumn available avenue average aviation avoid await
    awake award aware away axis axle baby back background bacon bad badge bag bake balance ball ballet balloon ban
    band bank banker bankruptcy banner bar barbecue bare bargain bark barn barrel barrier base baseball basic basin
    basis basket basketball batch bath bathroom battery battle bay be beach beacon beam bean bear beard bearing beast
    beat beautiful beauty beaver because become bed bedroom bee beef beer before began begin behalf behave behavior
    behaviour behind being belief believe bell belong below belt bench bend beneath benefit benign beside best bet
    beta better between beverage beyond bicycle bid big bike bill billion bin bind bingo bio biological biologics
    biology biomass biomedical biometric biopharma biopharmaceutical bioscience biosciences biotech biotechnology
    birch bird birth birthday biscuit bit bite bitter black blade blame blank blanket blast blaze bleach blend bless
    blind block blockchain blog blood bloom blow blue bluebird board boat body boil bold bolt bomb bond bone bonus
    book boom boost boot border bore born borrow boss both bottle bottom bought boulder boulevard bounce bound
    boundary bow bowl box boy bracket brain brake branch brand brave bravo bread break breakfast breakthrough breath
    breathe breed breeze brew brewery brick bride bridge brief bright brilliant bring broad broadband broadcast broke
    broken broker brokerage bronze brook brother brought brown brush bubble buck bucket bud budget buffalo build
    building built bulk bull bullet bullion bundle burden bureau burn burst bus bush business busy but butcher butter
    butterfly button buy buyer by cabin cabinet cable cadence cafe caffeine cake calcium calculate calendar call calm
    camera camp campaign campus can canal cancel cancer candidate candle candy cannabis canon canvas canyon cap
    capable capacity cape capital captain capture car caravan carbon card cardiac cardinal cardio care career careful
    cargo carpet carriage carrier carry cart carton cartridge cascade case cash casino cast castle casual cat catalog
    catalogue catalyst catch category cater cathedral cattle cause cave cavern cedar ceiling celebrate celestial cell
    cellular cellulose cement cent center central centre century ceramic certain certificate chain chair chairman
    challenge chamber champagne champion chance change channel chaos chapter character charge charity charm chart
    charter chase chat chateau cheap check cheese chef chemical chemistry cherry chess chest chicken chief child
    children chill chimney chip chocolate choice choose christian chrome chronic church cider cigarette cinema
    cinnamon circle circuit circular citizen citrus city civic civil claim class classic classical clay clean clear
    clearance clever click client cliff climate climb clinic clinical clip clock close cloth clothe clothing cloud
    clover club cluster coach coal coast coat coating cobalt cobra coca cocoa code coffee coil coin coke cold
    collaborate collect collection collective college colony color colour column combine combustion come comedy comet
    comfort comic command comment commerce commercial commission commit committee commodity common communicate
    communication communications community comp compact companion company compare compass compete competition
    competitive complete complex compliance component composite compound comprehensive compress compute computer
    concept concern concert concrete condition conduct confidence confirm conflict conifer connect connection
    conscious consider consist consolidate constant constitution construct construction consult consultancy consultant
    consumable consume consumer contact contain container content contest context continent continental continue
    contract contractor contribute control convenience convention conversation convert conveyor cook cookie cool
    cooperate cooperation cooperative coordinate cope copper copy copyright coral cord core cork corn corner corona
    corporate corporation correct cosmetic cosmetics cosmic cosmopolitan cosmos cost cottage cotton could council
    counsel count counter country county couple courage course court cousin cover cow coyote craft crane crazy cream
    create creation creative creature credit creek crescent crew crime crimson crisis critical crop cross crowd crown
    crucial crude cruise crush crypto cryptocurrency cryptography crystal cube culture cup cure curiosity currency
    current curriculum curve custom customer cut cyber cycle cyclone cylinder cypress daily dairy daisy dam damage
    dance danger dark darling dart dash data database date daughter dawn day dead deal dealer dear death debate debt
    decade december decide decision deck declare decline decor decorate dedicate deep deer defence defend defense
    define degree delay delight deliver delivery delta demand democracy demonstrate denim dense dental dentist deny
    depart department depend deploy deposit depth derive describe desert deserve design desire desk despite
    destination destiny detail detect determine develop developer development device devote diagnose diagnostic
    diagnostics dialog dialogue diamond diamondback diaper did die diesel diet differ difference different difficult
    dig digest digital dime dimension dine dinner direct direction director directory dirty disc discount discover
    discovery discuss disease dish disk display disrupt disruptor distance distil distill distillery distinct
    distribute distribution distributor district diverse diversified diversify divide dividend division do dock doctor
    document dog dollar dolphin domain domestic dominion don door dot double doubt down dozen draft dragon drain drama
    draw dream dress drift drill drink drive driver drone drop drought drug drum dry dual duck due duke dump dune
    durable during dust duty dwell dye dynamic dynamics dynasty each eager eagle ear early earn earth ease east
    eastern easy eat echo eclipse eco ecological ecology ecommerce economic economy ecosystem eden edge edible edit
    edition editor educate education educational effect effective efficient effort egg eight either elastic elder
    elect electric electrical electricity electro electron electronic electronics elegant element elephant elevate
    elevator eleven elite elm else email embark ember emblem embrace emerald emerge emergency emission emotion empire
    employ employee employment empower empty emu enable encore encounter end endeavor endeavour endless endure
    energetic energy engage engine engineer engineering enhance enjoy enough enrich ensure enter enterprise entertain
    entertainment entire entity entrance entrepreneur entry envelope environment environmental envision envoy enzyme
    epic epoch equal equator equinox equip equipment equity era error escalator escape escort especially essence
    essential establish estate eternal ethanol ethical eureka even evening event ever evergreen every evidence
    evolution evolve exact examine example excavate excel excellence excellent except exchange excite exclusive
    execute executive exercise exist exit exotic expand expect experience experiment expert explain exploration
    explore explorer explosive export expose express expression extend extension extra extract extreme eye fable
    fabric fabricate face facility fact factor factory fail fair fairway faith falcon fall familiar family famous fan
    fancy fantasy far farm farmer fashion fast fat father fault favor favorite favour fear feather feature february
    federal federation fee feed feedlot feel feet female fence fern ferrous ferry fertiliser fertility fertilizer
    festival few fiber fibre fidelity field fifteen fifth fifty fight figure file fill film filter final finance
    financial financing finch find fine finger finish fintech fire firm first fiscal fish fishery fishing fit fitness
    five fix fixed flag flame flash flat flavor flavour fleet flesh flex flexible flight flint float flood floor flour
    flow flower fluid fluor fluorite fly focus foil fold folk follow food fool foot football for force foreign forest
    forever forge forget forgive fork form formal format former formula forsale fort forth fortress fortune forum
    forward fossil foster found foundation founder foundry fountain four fox fraction fragrance frame framework
    franchise free freedom freehold freeze freight frequency fresh friday friend friendly from front frontier frost
    fruit fuel full fun function fund fundamental funeral fur furnace furnish furniture further fusion future futures
    gain galaxy gallery gallium gallon galore gamble gambling game gaming gap garage garden garment gas gasoline gate
    gateway gather gauge gazelle gear gem gemini gene general generate generation generator generic genesis genetic
    genetics genius genome genomic genomics gentle genuine geo geology geothermal germ get geyser giant gift ginger
    ginseng giraffe girl give glacier glad glass global globe glory glove glow glue go goal goat god gold golden golf
    good goods goose gorge got govern government grab grace grade gradual graduate grain grand granite grant grape
    graph graphic graphics graphite grass gravity gray great green greenhouse greet grey grid grill grind grip grocery
    ground group grove grow growth gryphon guarantee guard guardian guess guest guide guild guitar gulf gum gun guns
    guy gym gypsum habit habitat hair halcyon half hall halo hammer hand handle hang happen happy harbor harbour hard
    hardware harm harmony harness harvest hat have haven hawk hazard hazel he head headline health healthcare healthy
    hear heart heat heather heaven heavy hedge height held helicopter helium hello helm help hemp her herb herbal herd
    here heritage hero heron hickory hide high highland highway hill him hip hire his historic history hit hive hobby
    hockey hold holding holdings hole holiday holy home homeland honest honey honor honour hope horizon horn horse
    hosiery hospital hospitality host hostel hot hotel hour house household housing how hub huge human humble
    hummingbird hundred hunt hunter hurricane hybrid hydraulic hydro hydrocarbon hydrogen hygiene ibex ice icon idea
    ideal identity idle if ignite ignition ill illuminate illustrate image imagination imagine imaging immediate
    immune immuno immunology impact imperial import important impress improve impulse in incentive inch incite include
    income incorporate increase incubate indeed independence independent index indicate indigo individual industrial
    industry infant infinite infinity inflate influence inform information infra infrared infrastructure ingredient
    initial initiative inject injection injury ink inland inn inner innovate innovation innovative input inquire
    insect inside insight inspect inspire install instant instead institute institution instruct instrument insulate
    insulin insurance insure integral integrate integrity intellect intellectual intelligence intelligent intend
    intense interact interactive interest interface interior internal international internet interpret interstate into
    introduce invent invention inventory invest investigate investment investor invite involve iodine ion iris iron
    island isle isotope issue it item ivory ivy jack jade jaguar jam january jasmine jazz jean jelly jet jewel
    jeweller jewellery jewelry jigsaw job join joint joke journal journey joy jubilant jubilee judge juice july jumbo
    jump junction june jungle junior juniper jupiter just justice kangaroo keen keep kelp kernel kettle key kick kid
    kill kind king kingdom kiss kit kitchen kite kiwi knife knight knit knock know knowledge koala lab label labor
    laboratory labour lack ladder lady lagoon lake lamb lamp land landmark landscape lane language lantern large
    largest lark laser last late latex latitude lattice laugh launch laundry laurel lava lavender law lawn lawyer
    layer lead leader leaf league lean leap learn lease leasehold least leather leave lecture left leg legacy legal
    legend legion leisure lemon lend lens leopard less lesson let letter level lever leverage liability liberty
    library licence license lichen lie life lifestyle lift light lighthouse lighting like lily lime limestone limit
    limited line linear linen link lion lipid liquid liquidity liquor list listen literature lithium litre little live
    liver livestock living load loan lobby lobster local locate location lock lodge log logic logistic logistics lone
    long look loop loose lord lose loss lot lotus loud lounge love low lower loyal loyalty lubricant luck lucky lumber
    lumen luminous lunar lunch lung luxury lynx mac machine machinery made magazine magic magnesium magnet magnetic
    magnetite magnificent magnolia magnum mahogany mail main maintain maintenance major majority make male mall malt
    mammoth man manage management manager manganese mango manner manor mantle manufactory manufacture manufacturer
    many map maple marathon marble march margin marigold marina marine marital maritime mark market marketer marketing
    marlin marriage martial marvel mask mass massive master mastiff match material materials math mathematics matrix
    matter mature maverick maximum may me meadow meal mean measure meat mechanic mechanical mechanics medal media
    median medic medical medicine medium meet mega member membrane memorial memory men mental mention merchandise
    merchant mercury mere merge merger meridian merit mermaid mesa mesh message messenger metabolic metal metallic
    metallurgical metallurgy meteor meter method metric metro metropolis metropolitan micro microbial microelectronics
    microscope microwave mid middle mideast midland midnight might mighty migrate mile milestone military milk mill
    millennium million mime mind mine miner mineral mineralogy mini minimum mining minister mink minor mint minute
    miracle mirror misc miss missile mission mist mix mixture mobile mobility mode model modern module molecular
    molecule molten moment momentum monarch monarchy monday money monitor monkey monster month monument moon moose
    more morning mortgage mosaic most mother motion motor motorcycle motorcycles motorsport mould mount mountain mouse
    mouth move movement movie much mud multi multimedia multiple municipal muscle museum mushroom music musical
    mustang mustard mutiny mutual my mystery myth nail naked name nano nanotechnology narrow narwhal nation national
    native natural nature naval navigate navigation navigator navy near neat nebula necessary neck nectar need needle
    neighbor neighbour neither neon nerve nest net network neural neuro neurology neuroscience neutral never new news
    newspaper newswire next nexus nice niche nickel night nine niobium nitrogen no noble nobody node noise nomad none
    nonferrous nor normal north northeast northern northwest nose not notable note nothing notice notion nougat nova
    novel november now nuclear nucleus nugget number numeric nurse nursery nursing nut nutrient nutrition nutritional
    oak oasis object observe obtain obvious occasion occupy ocean october odd odyssey of off offer office officer
    official offset offshore often oil okay old olive olympic omega on once oncology one onion online only onshore
    opal open opera operate operation operator opinion opportunity oppose opt optic optical optics optimal optimise
    optimize optimum option opto optoelectronics opus or oracle oral orange orbit orchard orchestra orchid order
    ordinary ore organ organic organisation organization orient oriental origin original oriole orion orthopaedic
    orthopedic osprey other otter ought our out outcome outdoor outer outfit outlet outlook outsource outstanding over
    overseas own owner ox oxide oxygen oyster ozone pace pacific pack package packaging pact pad page paid pain paint
    pair palace palisade palladium palm pan panda panel panorama panther paper parade paradigm paradise paragon
    paragraph parallel paramount parcel parent park parking parrot part participate participation particle partner
    partnership party pass passage passenger passion past pasta paste patch patent path pathway patience patient
    patriot pattern pause pave pay payment peace peach peak peanut pearl pebble peer pelican pen penguin peninsula
    pension people pepper peptide per peregrine perfect perform performance perfume perhaps period permanent permit
    perpetual persimmon person personal perspective pet petal petrochemical petrol petroleum pharma pharmaceutical
    pharmaceuticals pharmacy phase pheasant phoenix phone phosphate photo photograph photography photon photonic
    photonics phrase physical physics piano pick picture pie piece pier pig pilgrim pilot pin pine pink pioneer pipe
    pipeline pitch pivot pixel pizza place plain plan plane planet planning plant plantation plasma plaster plastic
    plastics plate plateau platform platinum play player plaza pleasant please pleasure plenty plum plus ply plywood
    pocket poem poet point polar pole police policy polish polite political politics polo polyester polyethylene
    polymer polypropylene pond pool poor pop poplar poppy popular population porcelain pork port portable portal
    portfolio position positive possible post postal pot potash potential poultry pound powder power practical
    practice prairie precious precise precision predict prefer preference premier premium prepare presence present
    preserve president press pressure prestige pretty prevent previous price primary prime prince princess principal
    print printer prior priority prism prison private privilege prize pro probably problem procedure proceed process
    procure produce producer product production productivity profession professional professor profile profit profound
    program programme progress progressive project projection promise promote promotion proof propane propel proper
    property prophet proportion propose prospect prospector prosper prosperity protect protection protein proton
    prototype proud prove provide providence provident province provision prudent prudential psychology public
    publication publicity publish publisher pull pulp pulse puma pump pumpkin pup pupil purchase pure purple purpose
    pursue push put puzzle pyramid python quad quail quality quantity quantum quark quarry quart quarter quartz queen
    quest question quick quicksilver quiet quilt quit quite quota quote rabbit raccoon race rack radar radiant radiate
    radio radiology radius rail railroad railway rain rainbow raise rally ram ranch random range ranger rank rapid
    rare raspberry rat rate rather ratio raven raw ray razor reach react reaction reactor read reader ready reagent
    real realise reality realize realty reap rear reason rebel rec recall receive recent recipe reclaim recognise
    recognize recommend record recover recovery recreation recruit recycle red reduce reed reef refer refine refinery
    reflect reform refractory refresh refrigerate refuge refuse regal regard regenerative regent regime region
    regional register regular regulate rehabilitate reinsurance relate relation relationship relax relay release
    relevant reliable reliance relief religion religious rely remain remark remarkable remedy remember remote remove
    renaissance renew renewable rent rental repair repeat replace reply report represent republic repute request
    require rescue research researcher reserve reservoir reside residence resident residential resin resist resistance
    resolute resolution resolve resonance resort resource resources respect respiratory respond response responsible
    rest restaurant restore result retail retailer retain retina retire retirement return reveal revenue reverse
    review revive revolution reward rhino rhodium rhythm ribbon rice rich ride ridge right rigid rim ring riot rise
    risk ritual rival river road roadmap roar roast robe robin robot robotic robotics robust rock rocket rod roll
    romance roof room root rope rose rosemary rotary rotor rough round route routine rover row royal royalty rubber
    ruby rug rule run rural rush rust rye sack sacred sad saddle safe safeguard safety saffron saga sage sail saint
    salad salamander salary sale salmon salon salt same sample sanctuary sand sandstone sandwich sapphire sardine
    satellite satisfy saturday saturn sauce savanna savannah save savings saw say scale scan scandium scarce scarlet
    scene schedule scheme scholar school sci science sciences scientific scooter scope score scorpion scotch scout
    scrap screen screw script scroll sea seafood seal search season seat second secret section sector secure
    securities security see seed seek seem segment select selection self sell semi semiconductor semiconductors senior
    sense sensor sentinel sentry september sequence sequoia serenity serial series serious serpent serve server
    service session set settle seven several shade shadow shaft shake shale shall shamrock shape share shareholder
    shark sharp she shed sheep sheet shelf shell shelter shepherd shield shift shine ship shipment shipper shipping
    shipyard shirt shock shoe shoot shop shore short shot should shoulder show shower shrimp shut sick side sierra
    sight sigma sign signal signature silica silicon silk silo silver similar simple simplicity simulate since sing
    single sister sit site six size skate ski skill skin skincare sky skyline slate sleep slice slide slim slip slope
    slot sloth slow small smart smelter smile smith smoke smooth snack snap snow so soap soar soc soccer social
    society soda sodium sofa soft software soil solar sold soldier sole solid solo solution solve solvent soma some
    son song sonic soon sorghum sort soul sound source south southeast southern southwest sovereign soy soybean spa
    space span spare spark sparrow speak spec special specialise specialist specialize specialty species specific
    spectral spectrum speech speed spend sphere spice spider spin spine spiral spirit splash splendid split sport
    sports spot spouse spray spread spring sprint spruce square squirrel stability stable stack stadium staff stage
    stair stallion stamp stand standard stanza staple star starlight start starter state statement stateside static
    station statistic status stay steady steal steam steel steer stellar stem step stereo sterling stick still
    stingray stock stockbroker stone stool stop storage store stork storm story straight strait strand strange strata
    strategic strategy stratum straw strawberry stream street strength stress stretch strike string strip strong
    structural structure student studio study stuff style sub subject submarine submit subscribe subsea subsidiary
    substance substrate suburban subversive success such sudden suffer sugar suggest suit suite sulphur sultan sum
    summer summit sun sunday sunrise sunset sunshine super superior supermarket supplement supply support supreme sure
    surf surface surge surgeon surgery surgical surprise surround survey survive sushi sustain sustainability
    sustainable swallow swan sweet swift swim swing switch sword sycamore symbol symphony syndicate synergy synthesis
    synthetic system systematic table tablet tackle tactical tail tailor take tale talent talk tall tamarind tandem
    tangible tango tank tap tape tapestry target tariff task taste tax taxi tea teach teacher teak team tech technical
    technician technique techno technological technologies technology tectonic teenager tele telecom telecommunication
    telecommunications telecoms telematics telephone telescope television tell temperature tempest temple ten tend
    tender tennis tension tent tenth term terminal terra terrace terrain terrestrial terrier territory test text
    textile than thank that the theater theatre their them theme then theory therapeutic therapeutics therapy there
    thermal these they thick thin thing think third thirty this thistle thorn those though thought thousand thread
    three threshold thrift thrive throne through thrust thunder thursday thus thyme ticket tide tiger tight tile till
    timber time tin tiny tire tissue titan titanic titanium title tobacco today together toil token told tomorrow ton
    tone tonic too took tool tooth top topaz topic torch tornado toss total totem toucan touch tough tour tourism
    tourist toward tower town toy trace track tractor trade trader trading tradition traditional traffic trail trailer
    train trainer transact transaction transcend transfer transform transformation transformer transit transition
    translate transmission transmit transparent transport transportation trap travel traveller tray treasure treasury
    treat treatment treaty tree trek tremendous trend triad trial triangle tribe tribune tricycle trident trillion
    trim trinity trio trip triple triumph tropic tropical trouble trout truck true trump trunk trust trustee truth try
    tsunami tube tuesday tulip tuna tundra tune tungsten tunnel turbine turbo turn turnkey turquoise turtle tutor
    twelve twenty twice twilight twin twist two tycoon type typhoon typical tyre ultimate ultra ultrasonic ultrasound
    umber umbrella uncle under underground understand underwear underwrite unicorn uniform union unique unit unite
    united unity universal universe university unless unlimited unlock until up upland upon upper upstream uptown
    uranium urban urgent us use useful user usual utility utopia vaccine vacuum valiant valley valor valuable value
    valve van vanadium vanguard vanilla vanity vantage vapor vapour variable variety various vast vault vector vega
    vegetable vehicle vein velocity velour velvet vend vendor venom ventilate venture ventures venue verb verify
    veritable vermilion versatile verse version versus vertex vertical vertigo very vessel veteran veterinary via vibe
    victor victory video view viewpoint vigor viking villa village vine vineyard vintage vintner violet viral virtual
    virtue virus visa visible vision visit vista visual vital vitamin vivid vixen vocal vogue voice volcano volt
    volume volunteer vortex vote voyage voyager vulture wafer wage wagon wait wake walk wall wallet walnut walrus
    wander want war ward wardrobe warehouse warm warn warrant warrior wash wasp waste watch water waterway wave wax
    way we weak wealth weapon wear weather weave web website wedding wedge wednesday week weigh weight welcome weld
    welfare well wellness west western wet whale what wheat wheel when where whether which while whiskey whisky
    whisper white who whole wholesale why wide widget wife wild wildcat wilderness will willow win wind window windows
    wine wing winner winter wire wireless wisdom wise wish with within without witness wizard wolf woman wombat women
    wonder wood wooden woodland wool word work worker workforce workplace workshop workspace world worldwide worry
    worth would wound wrap wren write wrong yacht yak yard yarn year yeast yellow yes yesterday yet yield yoga yoghurt
    yogurt you young your youth yucca zeal zebra zenith zephyr zero zinc zircon zirconium zodiac zone zoo zoom
""")


_ORDINARY = _WORDS | GENERIC | PLACES | GIVEN_NAMES | LEGAL_FORMS | TAILS | PARTICLES


def is_ordinary(word: str) -> bool:
    """Whether a folded word is common: a word of the language, a place, a given name, a legal form, a number."""
    return word.isdigit() or word in _ORDINARY or word in ABBREVIATIONS or any(map(_WORDS.__contains__, _stems(word)))


def _stems(word: str) -> list[str]:
    """What an inflected word may be a form of."""
    stems = [word.removesuffix(ending) for ending in _ENDINGS if word.endswith(ending)]
    stems = [stem for stem in stems if len(stem) >= _SHORTEST_STEM]
    undoubled = [stem[:-1] for stem in stems if stem[-1] == stem[-2]]
    voiced = [stem[:-1] + "y" for stem in stems if stem[-1] == "i"]
    silent = [stem + "e" for stem in stems if word.endswith(("ing", "or", "ors", "al"))]
    return stems + undoubled + voiced + silent
