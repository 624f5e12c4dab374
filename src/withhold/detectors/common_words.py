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
    a ability able about above abrasives abroad absolute academic academy accelerate acceleration accent accept
    acceptance access accessories accident accommodation account accuracy accurate acetate acetic acetylene achieve
    acid acoustic acquire acquisition across acrylic act action activation active activewear activity actor actual
    acute adapt add additive address adhesive adjust adjuvant administer administration admit adsorption adult advance
    advancement advantage adventure advertise advice advise advisor advisory aerial aero aeronautics aerosol aerospace
    aerostructures aesthetic affair affect affinity afford after afternoon again against age agency agenda agent agile
    agree agreement agri agricultural agriculture agro agrochemical ahead aid aim air aircraft airline airport airway
    alarm album alcohol alert algorithm align alignment alike alive alkali alkaline alkyl all alliance allied allow
    alloy ally almost alone along alpha alpine already also alt alternate alternative although altitude alumina
    aluminium aluminum always amateur amazon amber ambient ambition ambulance amend amines amino among amount ample
    amplify amplitude amuse amusement analog analogue analyse analysis analyst analytics analyze anchor ancient and
    angel angle animal animation anniversary announce annual another answer antenna anthracite anti antibodies antique
    antisense any anywhere apart apartment apparatus apparel appeal appear apple appliance application apply appoint
    appreciate appreciation approach appropriate approve april aqua aquaculture aquatic arbitrage arc arch architect
    architecture archive area arena argue arise arm armour army aroma aromatics around arrange array arrest arriva
    arrive arrow art article artificial artist arts as aseptic ash asian ask asphalt assemble assembly assess asset
    assign assist assistance associate associated association assume assurance assure asteroid at atheism atheist
    athletic atlantic atlas atom atomic attach attack attempt attend attention attitude attract auction audience audio
    audit august aurora authentic author authority auto automate automatic automation automobile automotive autonomous
    autos autumn available avenue average aviation avionics avoid await awake award aware away axial axis axle azure
    baby back background backup bacon bacterial bad badge bag bake bakeries bakery balance baling ball ballet balloon
    ban band bank banker banknote bankruptcy banner banquets bar barbecue bare bargain bark barley barn barrel barrier
    base baseball basic basin basis basket basketball bass batch bath bathroom battery battle bay be beach beacon beam
    bean bear beard bearing beast beat beautiful beauty beaver because become bed bedroom bee beef beer beet before
    began begin behalf behave behavior behaviour behind being belief believe bell belong below belt bench benchmark
    bend beneath beneficial benefit benign berry beside bespoke best bet beta better between beverage beyond bicycle
    bid big bike bill billion bin bind bingo bio biochemical biochemistry bioenergy biogas biological biologics
    biology biomass biomaterials biomedical biomedicine biometric biopharma biopharmaceutical biosafety bioscience
    biosciences biosensors biotech biotechnological biotechnology birch bird birth birthday biscuit bit bitcoin bite
    bitter black blade blame blank blanket blast blaze bleach blend bless blind block blockchain blog blood bloom blow
    blue blueberries bluebird board boat body boil bold bolt bomb bond bone bonus book boom boost boot border bore
    born borrow boss both bottle bottom bought boulder boulevard bounce bound boundary boutique bow bowl box boy
    bracket brain brake branch brand brass brave bravo bread break breakfast breakthrough breath breathe breed breeze
    brew brewery brick bride bridge brief bright brilliant bring broad broadband broadcast broke broken broker
    brokerage bronze brook brother brought brown brush bubble buck bucket bud budget buffalo build building built bulk
    bull bullet bullion bunch bundle bunker burden bureau burger burn burst bus bush business busy but butcher butter
    butterfly button buy buyer by cabin cabinet cable cableway cadence cafe caffeine cake calcium calculate calendar
    call calm camera camp campaign campus camshafts can canal cancel cancer candidate candle candy cannabis canon
    canopy canvas canyon cap capable capacitor capacity cape capital capsule captain capture car caravan carbide
    carbon card cardiac cardinal cardio care career careful cargo carpet carriage carrier carry cart carton cartridge
    cascade case cash cashmere casino cassava cast castings castle casual casualty cat catalog catalogue catalyst
    catch category cater caterpillar cathedral catheter cattle cause cave cavern cedar ceiling celebrate celebrity
    celestial cell cellular cellulose cement cent center central centre century ceramic cereals ceremony certain
    certificate certification chain chair chairman challenge chamber champagne champion chance change channel chaos
    chapter character charge charity charm chart charter chase chat chateau cheap check cheese chef chemical chemistry
    cherry chess chest chevron chicken chief child childcare childhood children chili chill chimeric chimney chip
    chlor chocolate choice choose christian chrome chronic church cider cigarette cinema cinnamon circle circuit
    circular citizen citrus city civic civil clad claim class classic classical clay clean cleanup clear clearance
    clever click client clientele cliff climate climb clinic clinical clip clock close closure cloth clothe clothing
    cloud clover club cluster clutch coach coal coast coat coating cobalt cobra coca cochlear cocoa code coffee
    cogeneration cognition coherent coil coin coke cola cold collaborate collect collection collective college colony
    color colour column combination combine combo combustion come comedy comet comfort comic command comment commerce
    commercial commission commit committee commodity common communicate communication communications community comp
    compact companion company compare compass compete competition competitive complete complex compliance compliant
    component composite compound comprehensive compress compression compute computer concept concern concert concrete
    condiment condition condo conduct conduit confidence confirm conflict conglomerate conifer connect connection
    connectivity conscious conservancy conservation consider consist consolidate consolidation consortium constant
    constellation constitution construct construction consult consultancy consultant consumable consume consumer
    consumption contact contain container contemporary content contest context continent continental continue contract
    contractor contribute control convenience convention convergence conversation convert convertible conveyor cook
    cookie cool cooperate cooperation cooperative coordinate cope copper copy copyright coral cord core cork corn
    corner corona corporate corporation correct corrosion corundum cosmetic cosmetics cosmic cosmopolitan cosmos cost
    cottage cotton could council counsel count counter country county couple courage course court cousin cover cow
    coyote craft craftsman crane crazy cream create creation creative creature credit creek crescent crew crime
    crimson crisis critical crop cross crowd crown crucial crude cruise crush crypto cryptocurrency cryptography
    crystal cube cubic culture cup cure curiosity currency current curriculum curtain curve custom customer customized
    cut cyber cybersecurity cycle cyclone cylinder cypress daily dairy daisy dam damage dance danger dark darling dart
    dash data database date daughter dawn day dead deal dealer dear death debate debt decade december decide decision
    deck declare decline decor decorate decoration dedicate deep deer defence defend defense define degree delay
    delight deliver delivery delta deluxe demand democracy demonstrate denim dense dental dentist deny depart
    department depend deploy deposit depositary depository depot depth derive describe desert deserve desiccant design
    desire desk desktop despite destination destiny detail detect detection determine develop developer development
    device devote diabetes diagnose diagnosis diagnostic diagnostics dial dialog dialogue diamond diamondback diaper
    did die diesel diet differ difference different difficult dig digest digit digital dime dimension dine dinner
    diploma direct direction director directory dirt dirty disc discount discover discovery discuss disease dish disk
    display disrupt disruptive disruptor distance distil distill distillery distinct distribute distribution
    distributor district diverse diversified diversify divide dividend division do dock doctor document dog dollar
    dolphin domain dome domestic dominion don door doppler dose dot double doubt down downtown dozen draft dragon
    drain drama draw dream dredging dress drift drill drink drive driveline driver drone drop drought drug drum dry
    dual duck ductile due duke dump dune durable during dust duty dwell dye dyestuff dynamic dynamics dynasty each
    eager eagle ear early earn earth earthworks ease east eastern easy eat echo eclipse eco ecological ecology
    ecommerce economic economy ecosystem ecotourism eden edge edible edit edition editor educate education educational
    edutainment effect effective efficiency efficient effort egg eight either elastic elder elect electric electrical
    electricity electrification electro electrochemical electromechanical electron electronic electronics elegant
    element elephant elevate elevator eleven elite elm else email embark embedded ember emblem embrace emerald emerge
    emergency emission emotion empire employ employee employment empower empty emu enable encore encounter end
    endeavor endeavour endless endo endovascular endure energetic energy engage engagement engine engineer engineering
    enhance enjoy enough enrich ensure enter enterprise entertain entertainment entire entity entrance entrepreneur
    entrepreneurship entry envelope environment environmental envision envoy enzyme epic epoch epoxy equal equator
    equinox equip equipment equity era error escalator escape escort especially esports essence essential establish
    estate ester eternal ethanol ether ethical eureka even evening event ever evergreen every everyday evidence
    evolution evolve exact examine example excavate excel excellence excellent except exchange excite exclusive
    execute executive exercise exhibition exist exit exotic expand expect experience experiment expert explain
    exploration explore explorer explosion explosive export expose exposure express expression expressway extend
    extension extra extract extraction extreme extrusions eye eyecare fable fabric fabricate fabrication face facility
    fact factor factory fail fair fairway faith falcon fall familiar family famous fan fancy fantasy far farm farmer
    farmland fashion fast fasteners fastening fat father fault favor favorite favour fear feather feature february
    federal federation fee feed feedback feedlot feel feet felt female fence fern ferro ferrous ferry fertiliser
    fertility fertilizer festival few fiber fiberglass fibre fidelity field fifteen fifth fifty fight figure filaments
    file fill film filter filtration final finance financial financing finch find fine finger fingerprint finish
    fintech fire firm first fiscal fish fishery fishing fit fitness fittings five fix fixed flag flagship flame flange
    flap flash flat flavor flavour fleet flesh flex flexible flight flint float flood floor floriculture flour flow
    flower fluid fluor fluorine fluorite fluorochemicals flush fly foam focus foil fold folk follow food foodstuff
    fool foot football footwear for force foreign forensics forest forestry forever forge forget forgings forgive fork
    form formal format formation former formula formwork forsale fort forth fortress fortune forum forward fossil
    foster found foundation founder foundry fountain four fox fraction fragrance fragrant frame framework franchise
    free freedom freehold freelance freeze freight frequency fresh friday friend friendly from front frontage frontier
    frontline frost frozen fructose fruit fuel full fun function fund fundamental funeral fur furnace furnish
    furnishings furniture further fuse fusion future futures gain galaxy gallery gallium gallon galore gamble gambling
    game gaming gamma gap garage garden garment gas gasoline gate gateway gather gauge gazelle gear gearbox gelatin
    gem gemini gene general generate generation generator generic genesis genetic genetics genius genome genomic
    genomics gentle genuine geo geological geology geophysical geotechnical geothermal germ germanium get geyser ghee
    giant gift ginger ginseng giraffe girl give glacier glad gland glass glaze global globe glory glove glow glue
    glycols go goal goat god going gold golden goldfields golf good goods goose gorge got gourmet govern governance
    government grab grace grade gradual graduate grain grand granite grant granules grape graph graphene graphic
    graphics graphite grass gravity gray great green greenhouse greet grey grid grill grind grip grit grocery ground
    group grove grow grown growth gryphon guarantee guarantor guard guardian guess guest guide guild guitar gulf gum
    gun guns guy gym gypsum habit habitat hail hair halcyon half halibut hall halo hamburger hammer hand handbags
    handle hang happen happy harbor harbour hard hardware harm harmonic harmony harness harvest hat have haven hawk
    hazard hazel he head headline heal health healthcare healthy hear heart heat heather heaven heavy hedge height
    held helical helicopter helium hello helm help hemp her herb herbal herd here heritage hero heron hexagon hickory
    hide high highland highway hill him hip hire his historic history hit hive hobby hockey hoist hold holding
    holdings hole holiday holy home homebuilder homeland honest honey honor honour hope horizon horn horse hosiery
    hospital hospitality host hostel hot hotel hour house household houseware housing how hub huge human humble
    hummingbird hundred hunt hunter hurricane husbandry hybrid hydraulic hydro hydrocarbon hydrocolloid hydrogen
    hydropower hygiene hygienic hyper hyperscale hypo ibex ice icon iconic idea ideal identity idle if ignite ignition
    ill illuminate illustrate image imagination imagine imaging immediate immersion immune immuno immunology impact
    imperial import important impress impression improve improvement impulse in inbound incentive inch incite include
    income incorporate incorporation increase incubate indeed independence independent index indicate indices indigo
    indium individual individualized indoor induction industrial industrialization industry infant infinite infinity
    inflate influence info inform informatics information infra infrared infrastructure ingredient initial initiative
    inject injection injury ink inland inn innate inner innovate innovation innovative input inquire insect inside
    insight inspect inspection inspiration inspire install installation instant instead institute institution instruct
    instrument instrumentation insulate insulation insulin insurance insure intact integral integrate integration
    integrity intellect intellectual intelligence intelligent intend intense interact interactive interconnect
    interconnection interest interface interior intermediary intermediate intermodal internal international internet
    interpret interstate intimate into introduce intuitive invent invention inventory invest investigate investigation
    investment investor invite involve iodine ion ionic iridium iris iron irrigation island isle isotope issue it item
    ivory ivy jack jade jaguar jam january jasmine jazz jean jelly jet jewel jeweller jewellery jewelry jigsaw job
    join joinery joint joke journal journey joy jubilant jubilee judge judicial juice july jumbo jump junction june
    jungle junior juniper jupiter just justice kangaroo kaolin karat keen keep kelp kernel kettle key kick kid kill
    kimono kind king kingdom kiss kit kitchen kitchenware kite kiwi knife knight knit knock know knowledge known koala
    lab label labor laboratory labour lack lactic ladder lady lagoon lake lamb laminates lamp land landmark landscape
    lane language lantern large largest lark laser last late latex latitude lattice laugh launch laundry laurel lava
    lavender law lawn lawyer layer lead leader leaf league lean leap learn lease leasehold least leather leave lecture
    ledger left leg legacy legal legend legion leisure lemon lend lens leopard less lesson let letter level lever
    leverage liability liberty library licence license lichen lie lien life lifestyle lift ligand light lighthouse
    lighting lightning lightweight like lily lime limestone limit limited line lineage linear linen lingerie
    linguistic link linkage lion lipid liquid liquidity liquor list listen lite literature lithium litigation litre
    little live liver livestock living load loan lobby lobe lobster local locate location lock lodge log logic
    logistic logistics lone long look loop loose lord lose loss lot lottery lotus loud lounge love low lower loyal
    loyalty lube lubricant luck lucky luggage lumber lumen luminous lunar lunch lung luxury lynx mac machine machinery
    macro made magazine magic magnesium magnet magnetic magnetite magnificent magnolia magnum mahogany mail main
    mainstream maintain maintenance major majority make male mall malt mammoth man manage management manager manganese
    mango manner manor mantle manufactory manufacture manufacturer many map maple marathon marble march margin
    marigold marina marine marital maritime mark market marketer marketing marlin marriage mart martial marvel mask
    mass massive mast master masterbatch mastiff match material materials maternity math mathematical mathematics
    matrix matter mature maverick maximum may mayonnaise me meadow meal mean measure measurement meat mechanic
    mechanical mechanics mechatronic medal media median medic medical medicare medicine medium meet mega melon melt
    member membrane memorial memory men mental mention merchandise merchant mercury mere merge merger meridian merit
    mermaid mesa mesh message messenger metabolic metal metallic metallurgical metallurgy meteor meter methanol method
    metric metro metropolis metropolitan mezzanine mica micro microbial microelectronic microelectronics microfiber
    micron microscope microwave mid middle middleware mideast midland midnight midstream might mighty migrate mile
    milestone military milk mill millennium million mime mind mine miner mineral mineralogy mini minimum mining
    minister mink minor mint minute miracle mirror misc miss missile mission mist mix mixture mobile mobility mode
    model modern module mold molding molecular molecule molten molybdenum moment momentum monarch monarchy monday
    money monitor monkey mono monolithic monomer monster month monument moon moose more morning mortgage mosaic most
    mother motion motive motor motorcycle motorcycles motorsport mould mount mountain mouse mouth move movement movie
    much mud multi multimedia multinational multiple multistage municipal muscle museum mushroom music musical mustang
    mustard mutiny mutual my mystery myth nail naked name nano nanotechnology naphtha narrow narwhal nation national
    nationwide native natural nature naval navigate navigation navigator navy near neat nebula necessary neck nectar
    need needle neighbor neighbour neither neon nerve nest net network neural neuro neurology neuroscience neutral
    never new news newspaper newsprint newswire next nexus nice niche nickel night nine niobium nitro nitrogen no
    noble nobody node noise nomad nondestructive none nonferrous nonwovens noodle nor normal north northeast northern
    northwest nose not notable note nothing notice notion nougat nova novel november now nuclear nucleus nugget number
    numeric nurse nursery nursing nut nutrient nutrition nutritional nylon oak oasis object objective observe obtain
    obvious occasion occupy ocean oceanic october octopus ocular odd odyssey of off offer office officer official
    offline offset offshore often oil oilfield okay old oleo olive olympic omega omni on once oncology one onion
    online only onshore opal open opera operate operation operative operator ophthalmology opinion opportunity oppose
    opt optic optical optics optimal optimise optimize optimum option opto optoelectronic optoelectronics opus or
    oracle oral orange orbit orchard orchestra orchid order ordinary ore organ organic organisation organization
    organosilicon orient oriental origin original oriole orion orphan orthopaedic orthopedic osprey other otter ought
    our out outcome outdoor outer outfit outlet outlook outsource outstanding oval over overseas own owner ox oxide
    oxygen oyster ozone pace pacific pack package packaging pact pad page paid pain paint pair palace palisade
    palladium pallet palm pan panda panel panorama panoramic panther paper parade paradigm paradise paragon paragraph
    parallel paramount parcel parent parenteral park parking parrot part participate participation particle partner
    partnership party pass passage passenger passion past pasta paste pasture patch patent path pathway patience
    patient patriot patrols pattern pause pave pay payment peace peach peak peanut pear pearl pebble peel peer pelican
    pen pencil penguin peninsula pension people pepper peptide per peregrine perfect perform performance perfume
    perfusion perhaps perimeter period peripherals permanent permit perpetual persimmon persistent person personal
    personalized perspective pesticides pet petal petrochemical petrol petroleum pharma pharmaceutical pharmaceuticals
    pharmacy phase pheasant phoenix phone phosphate photo photoelectric photograph photography photomask photon
    photonic photonics photosensitive phrase physical physics piano pick pickles picture pie piece pier pig pigment
    pile pilgrim piling pillar pilot pin pine pineapple pink pioneer pipe pipeline piston pitch pivot pixel pizza
    place plain plan plane planet planning plant plantation plasma plaster plastic plastics plate plateau platform
    platinum play player playground plaza pleasant please pleasure plenty plug plum plumbing plus ply plywood
    pneumatic pocket podcast poem poet point polar pole police policy polish polite political politics polo poly
    polyester polyethylene polymer polyols polypropylene pond pool poor pop poplar poppy popular population porcelain
    pork port portable portal portfolio position positive possible post postal pot potash potent potential pottery
    poultry pound powder power powertrain practical practice prairie precast precious precise precision predict
    predictive prefabricated prefer preference premier premium preparatory prepare preschool presence present preserve
    president press pressure prestige prestressed pretty prevent previous price primary prime prince princess
    principal principles print printer prior priority prism prison private privilege prize pro probably probe problem
    procedure proceed process procure produce producer product production productivity profession professional
    professor profile profit profound program programme progress progressive project projection prolific promise
    promote promotion proof prop propane propel proper property prophet proportion propose prospect prospector prosper
    prosperity protect protection protective protein proteomics proton prototype proud prove provide providence
    provident province provincial provision prudent prudential psychology public publication publicity publish
    publisher pull pulp pulse puma pump pumpkin punch pup pupil purchase pure purple purpose pursue push put puzzle
    pylon pyramid pyro python quad quail quality quantity quantum quark quarry quart quarter quartz queen quest
    question quick quicksilver quiet quilt quit quite quota quote rabbit raccoon race rack radar radial radiant
    radiate radiation radical radio radiology radius rail railroad railway rain rainbow raise rally ram ranch random
    range ranger rank rapid rare raspberry rat rate rather ratio raven raw ray rayon razor reach react reaction
    reactor read reader ready reagent real realise reality realize realty reap rear reason rebel rec recall receipts
    receive recent recharge recipe reclaim reclamation recognise recognize recommend reconnaissance record recover
    recovery recreation recruit recruitment rectifier recycle red reduce reed reef refer refine refinery reflect
    reform refractory refresh refrigerate refrigeration refueling refuge refuse regal regard regenerative regent
    regime region regional register registry regular regulate regulation rehabilitate reinsurance relate relation
    relationship relax relay release relevant reliable reliance relief religion religious rely remain remark
    remarkable remediation remedy remember remote remove renaissance renew renewable rent rental repair repeat replace
    reply report represent republic repute request require rescue research researcher reserve reservoir reside
    residence resident residential resilient resin resist resistance resistant resolute resolution resolve resonance
    resort resource resources respect respiratory respond response responsible responsive rest restaurant restore
    result retail retailer retain retina retire retirement retractable return reveal revenue reverse review
    revitalization revive revolution reward rhino rhodium rhythm ribbon rice rich ride ridge right rigid rim ring riot
    rise risk ritual rival river rivet road roadmap roar roast robe robin robot robotic robotics robust rock rocket
    rod roll romance roof room root rope rose rosemary rotary rotor rough round route routine rover row royal royalty
    rubber ruby rug rugby rule run rural rush rust rye sack sacred sad saddle safari safe safeguard safety saffron
    saga sage sail saint salad salamander salary sale salmon salon salt salvage same sample sanctuary sand sandstone
    sandwich sanitary sanitaryware sapphire sardine satellite satin satisfy saturday saturn sauce savanna savannah
    save savings saw say scale scan scandium scarce scarlet scene schedule scheme scholar school sci science sciences
    scientific scooter scope score scorpion scotch scout scrap screen screw script scroll sea seaboard seafood seal
    seamless seaport search season seat second secret section sector secure securities security see seed seek seem
    segment seismic select selection self sell semi semiconductor semiconductors senior sense sensor sentinel sentry
    separation september sequence sequoia serenity serial series serious serpent serum serve server service sesame
    session set settle seven several sewing shade shadow shaft shake shale shall shamrock shape share shareholder
    shareholding shark sharp she shed sheep sheet shelf shell shelter shepherd shield shift shine ship shipbuilding
    shipment shipper shipping shipyard shirt shock shoe shoot shop shore short shot should shoulder show shower shrimp
    shrinkable shut shuttle sick side sierra sight sigma sign signal signature silence silica silicon silk silo silver
    similar simple simplex simplicity simulate simulations since sing single sinter sister sit site six sixth size
    skate ski skill skin skincare sky skylight skyline slack slate sleep slewing slice slide slim sling slip slope
    slot sloth slow small smart smelter smelting smile smith smoke smooth snack snap snow so soap soar soc soccer
    social society socio sockets soda sodium sofa soft software soil solar sold soldier sole solid solo solution solve
    solvent soma some son song sonic soon sorghum sort soul sound soup source south southeast southern southwest
    southwestern sovereign soy soybean spa space span spare spark sparrow speak spec special specialise specialist
    specialize specialty species specific spectral spectrum speech speed spend sphere spice spider spike spin spine
    spiral spirit splash splendid split sponsor sport sports spot spouse spray spread spring sprint spruce square
    squirrel stability stable stack stadium staff stage stainless stair stakeholder stallion stamp stampings stand
    standard stanza staple star starch starlight start starter state statement stateside static station statistic
    status stay steady steal steam steel steer stellar stem step stereo sterling stick still stingray stitch stock
    stockbroker stone stool stop storage store stork storm story stove straight strait strand strange strata strategic
    strategy stratum straw strawberry stream street strength stress stretch strike string strip strong structural
    structure student studio study stuff style styrene sub subject submarine submit subscribe subsea subsidiary
    substance substrate suburban subversive success such sudden suffer sugar suggest suit suite sulphur sultan sum
    summer summit sun sunday sunflower sunlight sunrise sunset sunshine super superconducting superfoods superior
    supermarket superstructures supplement supply support supreme sure surf surface surfactants surge surgeon surgery
    surgical surprise surround survey survive sushi sustain sustainability sustainable swallow swan sweet sweetener
    swift swim swing switch switchgear sword sycamore symbol symphony syndicate synergy synthesis synthetic system
    systematic table tablet tackle tactical tail tailor take takeaway tale talent talk tall tamarind tandem tangible
    tango tank tap tape tapestry target tariff task taste tax taxi tea teach teacher teak team tech technical
    technician technique techno technological technologies technology tectonic teenager tele telecom telecommunication
    telecommunications telecoms telematics telemedicine telephone telescope television tell temperature tempest temple
    ten tend tender tennis tension tent tenth term terminal terra terrace terrain terrestrial terrier territory test
    text textile than thank that the theater theatre their them theme then theory therapeutic therapeutics therapy
    there thermal thermo thermoelectric these they thick thin thing think third thirty this thistle thorn those though
    thought thousand thread three threshold thrift thrive throat throne through thrust thunder thursday thus thyme
    ticket tide tier tiger tight tile till tilt timber time tin tinplate tiny tips tire tissue titan titanic titanium
    title tobacco today tofu together toil token told toll tolling tomato tomorrow ton tone tongue tonic too took tool
    tooth top topaz topic torch tornado toss total totem toucan touch tough tour tourism tourist toward tower town toy
    trace track traction tractor trade trader trading tradition traditional traffic trail trailer train trainer
    tramways transact transaction transcend transfer transform transformation transformer transit transition translate
    translations transmission transmit transparent transport transportation trap travel traveller tray treasure
    treasury treat treatment treaty tree trek tremendous trench trend triad trial triangle tribe tribune tricycle
    trident trillion trim trinity trio trip triple triumph tropic tropical trouble trout truck true trump trunk trust
    trustee truth try tsunami tube tubings tubular tuesday tulip tuna tundra tune tungsten tunnel turbine turbo
    turmeric turn turnkey turquoise turtle tutor twelve twenty twice twilight twin twist two tycoon type typhoon
    typical tyre ultimate ultra ultrasonic ultrasound umber umbrella uncle under underground understand underwear
    underwrite unicorn unified uniform union unique unit unite united unity universal universe university unless
    unlimited unlock unmanned until up upland upon upper upstream uptown uranium urban urethane urgent us use useful
    user usual utility utopia vaccine vacuum valiant valley valor valuable value valve van vanadium vanguard vanilla
    vanity vantage vape vapor vapour variable variety various varnish vascular vast vault vector vega vegetable
    vehicle vein velocity velour velvet vend vendor venom ventilate venture ventures venue verb verify veritable
    vermilion versatile verse version versus vertex vertical vertigo very vessel vest veteran veterinary via vibe
    vibrant vicinity victor victory video view viewpoint vigor viking villa village vine vineyard vintage vintner
    vinyl violet viral virgin virtual virtue virus visa visible vision visit vista visual vital vitality vitamin
    vitreous vitrified vitro vivid vixen vocal vogue voice volcanic volcano volt voltage volume volunteer vortex vote
    voucher voyage voyager vulture wafer wage wagon wait wake walk wall wallet walnut walrus wander want war ward
    wardrobe ware warehouse warm warn warrant warrior wash wasp waste watch water waterfront waterproof waterproofing
    waterway waterworks watt wave wax way we weak wealth weapon wear weather weave web website wedding wedge wednesday
    week weigh weight welcome weld welfare well wellness west western wet whale wharf what wheat wheel when where
    whether which while whiskey whisky whisper white who whole wholesale why wide widget wife wild wildcat wilderness
    will willow win wind window windows wine winery wing winner winter wire wireless wisdom wise wish with within
    without witness wizard wolf woman wombat women wonder wood wooden woodland wool word work worker workforce
    workplace workshop workspace world worldwide worry worth would wound wrap wren wrestling write wrong xenon yacht
    yak yard yarn year yeast yellow yes yesterday yet yield yoga yoghurt yogurt you young your youth yucca zeal zebra
    zenith zeolite zephyr zero zinc zipper zircon zirconium zodiac zone zoo zoom
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
