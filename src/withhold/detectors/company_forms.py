"""What names of organisations are made of besides what is their own: legal forms, "Group", articles, places.

Everything is folded (lower case, no accents) and without dots and spaces, as `compact` writes it: "S. A. de C.V."
stands here as `sadecv`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from withhold.text import fold


def table(words: str) -> frozenset[str]:
    return frozenset(words.split())


LEGAL_FORMS = table("""
    inc incorporated corp corporation co company companies ltd limited plc publiclimitedcompany llc llp lp lllp pllc
    pc cic cio bv nv cv vof ua naamlozevennootschap beslotenvennootschap kgaa ag gmbh mbh gmbhcokg gmbh&cokg
    gmbhcokgaa gmbh&cokgaa ag&cokg ag&cokgaa agcokgaa se&cokgaa secokgaa se&cokg se&co seco kg ohg gbr ug ev eg ek eu
    sce se aktiengesellschaft sa sas sasu sarl sa/nv sanv scrl sprl srl snc sca scs eurl ei gie sem scop
    societeanonyme societeeuropeenne societecooperative societeencommanditeparactions sal sae sak saog saoc ksc kscp
    kpsc qsc qpsc psc pjsc pao oao zao ooo jsc ojsc cjsc jointstockcompany publicjointstockcompany
    openjointstockcompany closedjointstockcompany publicstockcompany stockcompany stockcoltd spa srls sapa ss
    societaperazioni sau sl slu slne slp sc sll sociedadanonima sociedadlimitada sad socimi saa sac sabdecv sadecv
    sapidecv sapibdecv saabdecv srldecv sofom sab sadecr lda ltda sgps eireli sociedadeanonima companhiaaberta sponpa
    ab publ abpubl aktiebolag asa as ans da nuf aps a/s ivs ks is p/s oy oyj abp ehf hf sf ohf kk kabushikikaisha
    kabushikigaisha yk godokaisha gk coltd colimited pteltd pte ptyltd pty pvtltd pvt privatelimited privateltd
    pvtlimited publiccompanylimited publiccompany pcl tbk persero bhd berhad sdnbhd sdn opc nl nolliability rf
    unlimited proprietarylimited proprietary hldgs doo dd ad ead ood eood spzoo spolkazoo spolkaakcyjna sro spolsro
    vos zrt nyrt rt kft bt kht uab uadbp sia ou osauhing mchj at tas anonimsirketi ltdsti limitedsirketi ae ee epe ike
    anonymosetaireia srlu scarl scpa scrls ccc ssa cva comma asbl vzw oe od etn etf reit dac clg ulc gp societe
    anonyme classa classb classc classh classacommonstock classbcommonstock classaordinaryshares commonstock
    ordinaryshares commonshares preferredstock americandepositaryshares depositaryshares americandepositoryshares
    sponsoredadr adr drn cdrn gdr units warrants rights
""")
"""Endings that say how a company is set up, of many countries, and what a share list puts behind them."""

TAILS = table("""
    group groups holding holdings holdingcompany companies international intl worldwide global enterprise enterprises
    industries industry partners associates trust grupo groupe gruppe gruppo grup konzern koncern concern kaisha
    participacoes participations participation beteiligungen beteiligungs sirketleri family brands solutions services
    systems technologies technology bros brothers sons son daughters cie compagnie compania kgroup organisation
    organization foundation corporate europe asia americas usa uk
""")
"""Endings that many companies share and people leave out."""

LEADS = table("""
    the der die das le la les el los il lo gli o os a an pt cv grupo groupe gruppe gruppo compania compagnie companhia
    societe sociedad societa pao oao zao ooo pjsc ojsc jsc jointstockcompany publicjointstockcompany
    openjointstockcompany closedjointstockcompany ab oy as uab sia ad messrs hsh
""")
"""What stands before a name and is not part of it."""

CONNECTORS = table("& + and und et y og och ja ve")
"""Ways of writing "and" inside a name."""

PARTICLES = table("""
    of the for de del della delle di da do dos das du des la le les el los van von der den zu zur am auf im in on at
    by per pour para por
""")
"""Small words inside names; initials may count them or not."""

GENERIC = table("""
    empresa empresas banco banca banque banc banka bankas bancorp bancshares bankshares kantonalbank sparkasse
    volksbank caisse credito seguros assicurazioni assurances versicherung versicherungs immobilien immobiliare
    imobiliario inmobiliaria gayrimenkul yatirim ortakligi sanayi ticaret enerji elektrik elektronik tekstil gida
    insaat holding fundo investimento investimentos inversiones inversora investimenti energia energie energias
    electricas eletricas centrais telecomunicaciones comunicaciones transportes transporte industria industrias
    industrie industriale industriales quimica petroleo petroleos minera mineracao mines metalurgica siderurgica
    cementos cimentos alimentos laboratorios servicios servicos sistemas tecnologia tecnologias agropecuaria agricola
    agricole regionale regional mutuel nacional nationale nazionale generale general internacional internationale
    compania companhia sociedad societe gesellschaft werke verlag brauerei maschinenbau bau denki denshi kogyo
    kensetsu kagaku seisakusho shoji sangyo seiki seiko seimitsu kaisha kikai giken unyu soko shokuhin seiyaku yakuhin
    koki zosen tetsudo bussan shoken ginko fudosan jidosha nihon toyo bharat hindustan sino shree nusantara mitra jaya
    prima utama lestari makmur indah putra pratama persada abadi investama asuransi internasional industri energi
    sanayii uretim celik turizm pazarlama menkul yatirimlar ambalaj anonim sirketi cimento sparebank fastigheter
    engenharia empreendimentos comercio distribuidora corporacion fonciere financiere anonima optronics mfg intl tech
    techs corp hldg svcs svc sys comm comms dev mgmt assoc govt dept natl amer fintechs proptech medtech foodtech
    agritech cleantech greentech edtech insurtech acquisitions spac adventures labs pharmaceutica pharmaceutique
    farmaceutica healthtech nanotech petro chem chems bancorporation realestate metals minerals golds silvers
    explorations royalties bioscience biopharmaceuticals biotherapeutics immunotherapeutics oncology genomics
    diagnostics cannabis hemp lifesciences lifescience ecommerce co op inc ltd non pre post sub inter trans intra meta
    e i
""")
"""Words of many names, in several languages, that no dictionary of English holds."""

GIVEN_NAMES = table("""
    adam alan albert alex alexander alfred alice amanda amy andrea andreas andrew angela ann anna anne anthony antonio
    arthur barbara ben benjamin bernard bill bob brian bruce carl carlos carol caroline catherine charles charlotte
    chris christian christine christopher claire claude daniel david dennis diana donald dorothy douglas edgar edward
    eleanor elena elizabeth ellen emily emma eric ernest eugene eva evelyn felix ferdinand fernando fiona frances
    francis francisco frank fred frederick gabriel gary george gerald gerard gilbert giovanni giuseppe gordon graham
    gregory hannah hans harold harry harvey heinrich helen henri henry herbert howard hugh ian ivan jack jacob james
    jane janet jason jean jeffrey jennifer jessica jim joan joe johann johannes john jonathan jorge jose joseph joshua
    juan judith julia julian julie karen karl kate katherine keith kenneth kevin kim laura lawrence lee leo leon
    leonard leslie lewis linda lisa louis louise lucas lucia lucy luis luke margaret maria marie mario mark martha
    martin mary matthew max maurice melissa michael michel michelle miguel mike monica nancy natalie nathan neil
    nicholas nicole nigel nina norman oliver oscar otto pablo pamela patricia patrick paul pedro peter philip philippe
    pierre rachel ralph raymond rebecca richard robert roberto roger roland ronald rosa ross roy russell ruth ryan
    samuel sandra sara sarah scott sean sebastian sharon simon sofia sophia sophie stanley stefan stephanie stephen
    steve steven stuart susan teresa theodore theresa thomas tim timothy tom tony valerie vera vincent virginia walter
    wayne wilhelm william wolfgang
""")
"""Alone, these are people."""

PLACES = table("""
    argentina argentine guernsey africa african america american americas arab arabia arabian arctic asia asian asean
    atlantic australasia austral australia australian austria austrian baltic bahrain bangladesh belgian belgium
    bermuda bolivia brasil brasileira brasileiro brazil brazilian britain british bulgaria bulgarian burma cambodia
    cameroon canada canadian caribbean cayman ceylon chad chile chilean china chinese colombia colombian congo costa
    croatia croatian cuba cyprus czech danish danmark denmark deutsche deutscher deutschland dubai dutch ecuador egypt
    egyptian emirates england english espana espanola estonia estonian ethiopia eurasia eurasian euro europa europe
    european europeenne finland finnish france francaise french georgia georgian german germany ghana greece greek
    greenland gulf hellenic hispanic holland hungarian hungary iberia iberian iceland icelandic india indian indo
    indonesia indonesian iran iraq ireland irish israel israeli italia italian italiana italiano italy jamaica japan
    japanese jordan kazakhstan kenya kenyan korea korean kuwait latin latvia lebanon libya lithuania luxembourg macau
    macao malaysia malaysian malta mauritius mexican mexico mexicana mongolia mongolian morocco mozambique myanmar
    namibia nepal netherlands nigeria nigerian nippon nordic norge norway norwegian oceania oman oriental pakistan
    palestine panama papua paraguay peru peruvian philippine philippines poland polish polska portugal portuguese
    qatar romania romanian russia russian rwanda saudi scandinavia scandinavian scotland scottish senegal serbia siam
    singapore slovak slovakia slovenia spain spanish sudan suisse sverige sweden swedish swiss switzerland syria
    taiwan taiwanese tanzania thai thailand tibetan tunisia turk turkish turkiye turkey uganda ukraine ukrainian
    uruguay uzbekistan venezuela vietnam vietnamese wales welsh yemen zambia zimbabwe zealand lanka hong kong anhui
    beijing changchun changsha changzhou chengdu chongqing dalian dongguan foshan fujian fuzhou gansu guangdong
    guangxi guangzhou guiyang guizhou hainan haikou hangzhou harbin hebei hefei heilongjiang henan hubei huizhou hunan
    huzhou inner jiangsu jiangxi jiaxing jilin jinan jingdezhen kunming kunshan lanzhou liaoning luoyang nanchang
    nanjing nanning nantong ningbo ningxia qingdao qinghai quanzhou shaanxi shandong shanghai shantou shanxi shaoxing
    shenyang shenzhen shijiazhuang sichuan suzhou taiyuan taizhou tangshan tianjin tibet urumqi weifang weihai wenzhou
    wuhan wuhu wuxi xiamen xian xinjiang xuzhou yangzhou yantai yunnan zhangzhou zhejiang zhengzhou zhenjiang
    zhongshan zhuhai zhuzhou zibo taipei kaohsiung taichung tainan hsinchu aichi aomori chiba chubu chugoku chuo fukui
    fukuoka fukushima gifu gunma hiroshima hokkaido hokuriku hyogo ibaraki kagawa kagoshima kansai kanagawa kanto kobe
    kochi kumamoto kyoto kyushu mie miyagi miyazaki musashino nagano nagasaki nagoya nara niigata oita okayama okinawa
    osaka saga saitama sapporo sendai shikoku shimane shizuoka tochigi tohoku tokai tokyo tottori toyama wakayama
    yamagata yamaguchi yamanashi yokohama seoul busan daegu incheon daejeon gwangju andhra assam bangalore bengal
    bengaluru bihar bombay calcutta chennai delhi goa gujarat hyderabad jaipur jammu karnataka kashmir kerala kolkata
    madras maharashtra mumbai mysore orissa pune punjab rajasthan tamil tamilnadu telangana colombo dhaka karachi
    lahore islamabad bangkok hanoi jakarta java sumatra bali borneo kuala lumpur johor penang sabah sarawak selangor
    manila cebu saigon alabama alaska alberta arizona arkansas atlanta baltimore boston brooklyn buffalo calgary
    california carolina chicago cincinnati cleveland colorado columbia columbus connecticut dakota dallas delaware
    denver detroit edmonton florida halifax hawaii houston idaho illinois indiana indianapolis iowa jersey kansas
    kentucky louisiana louisville maine manhattan manitoba maryland massachusetts memphis miami michigan milwaukee
    minneapolis minnesota mississippi missouri montana montreal nashville nebraska nevada newfoundland ohio oklahoma
    ontario oregon orlando ottawa pennsylvania philadelphia phoenix pittsburgh portland quebec rochester sacramento
    saskatchewan seattle tampa tennessee texas toronto utah vancouver vermont victoria washington winnipeg wisconsin
    wyoming york yukon acadia adelaide amsterdam andalucia antwerp athens auckland baden barcelona basel bavaria
    bavarian bayern belfast belgrade berlin bern bilbao birmingham bologna bordeaux bremen brest brisbane bristol
    brussels bucharest budapest burgundy cambridge cardiff catalan catalonia chelsea cologne copenhagen cornwall
    danube devon dresden dublin durham edinburgh essex flanders florence frankfurt galicia geneva genoa glasgow
    hamburg hannover helsinki istanbul izmir ankara kent kiev krakow lancashire leeds leipzig lisbon liverpool london
    lyon madrid manchester marseille melbourne milan milano monaco moscow munich naples newcastle normandy nottingham
    oslo oxford paris perth prague provence queensland rhine riga roma rome rotterdam scandic sheffield sicily sofia
    stockholm stuttgart sussex sydney tasmania torino toulouse turin tuscany tyrol ulster valencia venice vienna
    vilnius warsaw yorkshire zagreb zurich abuja accra alexandria algiers baghdad beirut cairo casablanca damascus
    durban johannesburg lagos nairobi riyadh jeddah tehran bogota brasilia buenos aires caracas lima paulo rio janeiro
    santiago quito havana santa san catarina parana minas gerais bahia andes andean himalaya himalayan sahara siberia
    siberian ural pacific
""")
"""Places that companies take into their names: alone, they name the place."""

ABBREVIATIONS = table("""
    ab ac ad ai am api apr ar asap asp atm atv av bbc bc bi bp ca cad cagr capex cctv cd cdc ceo cfo cia cio cis cmo
    cms cng co coo cpa cpi cpu crm crt cse css csr ct cto da db dc dna dr dsl dvd ebit ebitda ec ecb eea eeg eg ehr em
    emea en eps er erp esg etc etf eu eur ev evs faq fbi fca fcc fda ff fi fmcg fob fta ftp fx ga gb gbp gdp gmo gmp
    gnp gp gps gpu gsm hd hdpe hiv hk hmo hp hq hr hrs html http hvac ib ic ict id ie ifrs ii iii il ip ipo iq ir iso
    isp it iv jan jpy jr kg km kpi kw kwh la lan lbs lcd ldpe led lgbt lng lp lpg lte ma mbo md me mhz mi mn mo mri
    mrna ms mw mwh na nafta nasa nato ne ngl ngo nh nhs nj nm no nv nw ny nyse oecd oem oems ok om op opec or os ota
    otc pa pc pcb pcbs pcr pe pet pga phd pi pm pmi po pos pp pr pvc pv qa qc qr rd re rf rfid rn roe roi rpm rv sa
    saas sar sd se sec sep sim sme smes sms so soc sos sql ssd st stb tb tba tbd tcp td tm tv tvs uav uk un uno up us
    usa usb usd uv va vat vc vd vfx vi vip voip vp vpn vr vs wa wan wc who wi wifi wto www xl xml yen yoy ytd
""")
"""Abbreviations that stand for themselves."""

STOPS = table("""
    one two three four five six seven eight nine ten first second third last next new old big best better good great
    general united national central global international universal standard american british north south east west all
    any every other more most many much total full free open public private real true main major premier prime super
    ultra mega beyond after before above over under now today this that these those here there what when where who why
    how the and but for not you they she his her its our your their which with from into upon then than also only just
    each both few some such own same very can will may might must should would could about against between during
    through since until while because if it we he in on at by of to as an or so no yes do did be is are was were been
""")
"""Words that, capitalised or not, are no name."""


@lru_cache(maxsize=16384)
def compact(text: str) -> str:
    """Folded, without white space, dots and other separators; "&" and "+" stay."""
    return "".join(character for character in fold(text).text if character.isalnum() or character in "&+/")


def ending(words: Sequence[str], table: frozenset[str]) -> int:
    """How many words at the end of a name make an entry of the table; the most that do, never all of them."""
    return next(
        (count for count in range(min(len(words) - 1, 6), 0, -1) if compact("".join(words[-count:])) in table), 0
    )


def beginning(words: Sequence[str], table: frozenset[str]) -> int:
    """How many words at the beginning of a name make an entry of the table; never all of them."""
    return next(
        (count for count in range(min(len(words) - 1, 4), 0, -1) if compact("".join(words[:count])) in table), 0
    )
