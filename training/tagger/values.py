"""Invented firms, addresses, numbers, dates and sums for the training sentences.

`VALUES` has a maker for every slot of `templates.txt` that is no person, with the kind of what it makes (None: plain
text).
"""

from __future__ import annotations

import random
import string
from collections.abc import Callable, Sequence

from people import DAYS, MONTHS, cities, countries, domain, full, person, words

Maker = Callable[[random.Random], str]
SIGNS = {"#": string.digits, "?": string.ascii_uppercase, "*": string.ascii_lowercase + string.digits}
UNITS = ("day", "week", "month", "year", "hour", "minute", "year", "month")
NUMBERS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "fifteen",
    "twenty",
           "thirty", "forty", "fifty")  # fmt: skip
COURTS = (
    "District Court", "Regional Court", "Court of Appeal", "Assize Court", "Administrative Court", "Criminal Court",
    "State Security Court", "Magistrates’ Court", "Labour Court", "Court of First Instance", "Municipal Court",
    "High Court",
    "Commercial Court", "Social Court", "County Court", "Crown Court", "Court of Cassation", "Military Court",
)  # fmt: skip
HIGH_COURTS = (
    "Supreme Court",
    "Constitutional Court",
    "Court of Cassation",
    "Supreme Administrative Court",
    "Federal Court",
)
ROADS = ("Street", "St", "St.", "Road", "Rd", "Avenue", "Ave", "Lane", "Drive", "Dr", "Court", "Way", "Terrace",
    "Close",
         "Square", "Crescent", "Blvd", "Parkway", "Sokak", "Caddesi", "utca", "út", "Place", "Hill",
         "Gardens")  # fmt: skip
ROAD_ENDS = ("straße", "strasse", "gasse", "weg", "gatan", "vej", "straat", "laan", "katu", "tie", "veien", "platz")
ROAD_STARTS = (
    "Rue",
    "rue",
    "Via",
    "Calle",
    "Rua",
    "ul.",
    "Avenida",
    "Avenue",
    "Rue de",
    "Plaza",
    "Piazza",
    "C/",
    "Al.",
)
IBANS = (("DE", 18), ("GB", 18), ("FR", 23), ("ES", 20), ("PL", 24), ("NL", 14), ("TR", 22), ("IT", 23), ("CH", 17))


def of(*sections: str) -> Maker:
    """Any word of the sections of `words.txt`."""
    listed = [word for section in sections for word in words(section)]
    return lambda chance: chance.choice(listed)


def some(*makers: Maker) -> Maker:
    """What any of the makers makes."""
    return lambda chance: chance.choice(makers)(chance)


def plain(*choices: str) -> Maker:
    return lambda chance: chance.choice(choices)


def between(low: int, high: int) -> Maker:
    return lambda chance: str(chance.randint(low, high))


def filled(*patterns: str) -> Maker:
    """A pattern with its # as digits, ? as capitals, * as small letters or digits."""

    def make(chance: random.Random) -> str:
        return "".join(chance.choice(SIGNS[sign]) if sign in SIGNS else sign for sign in chance.choice(patterns))

    return make


def text(*patterns: str) -> Maker:
    """A pattern with the slots in it filled."""

    def make(chance: random.Random) -> str:
        parts = chance.choice(patterns).split("{")
        later = (part.split("}", 1) for part in parts[1:])
        return parts[0] + "".join(VALUES[name][1](chance) + rest for name, rest in later)

    return make


def measured(units: Sequence[str], high: int) -> Maker:
    def make(chance: random.Random) -> str:
        whole = chance.randint(1, high)
        figure = chance.choice((str(whole), f"{whole:,}", f"{whole}.{chance.randint(1, 9)}", chance.choice(NUMBERS)))
        joint = " " if figure.isalpha() or chance.random() < 0.8 else ""
        return f"{figure}{joint}{chance.choice(units)}"

    return make


def city(chance: random.Random) -> str:
    large, every = cities()
    return chance.choice(large if chance.random() < 0.6 else every)


def town(chance: random.Random) -> str:
    return chance.choice(cities()[1])


def country(chance: random.Random) -> str:
    return chance.choice(countries())[0]


def the_country(chance: random.Random) -> str:
    """A country with its article, if it has one."""
    name = country(chance)
    plural = name.startswith(("United", "Netherlands", "Philippines", "Czech R", "Dominican R", "Bahamas", "Maldives"))
    return f"the {name}" if plural and chance.random() < 0.8 else name


def nationality(chance: random.Random) -> str:
    return chance.choice(countries())[1]


def surname(chance: random.Random) -> str:
    return person(chance).last


def first_name(chance: random.Random) -> str:
    return person(chance).first


def made_up(chance: random.Random) -> str:
    """A made-up name of a firm, of one or two words."""
    stem, ending = chance.choice(words("stems")), chance.choice(words("endings"))
    style = chance.random()
    if style < 0.25:
        return stem + ending.capitalize()
    return f"{stem} {ending.capitalize()}" if style < 0.4 else stem + ending


def acronym(chance: random.Random) -> str:
    return "".join(chance.choice("ABCDEFGHIKLMNOPRSTUVW") for _ in range(chance.choice((2, 3, 3, 3, 4))))


def company(chance: random.Random) -> str:
    style = chance.random()
    if style < 0.25:
        return chance.choice(words("brands"))
    if style < 0.37:
        return made_up(chance)
    if style < 0.46:
        more = chance.choice(("", "", f", {surname(chance)}"))
        end = chance.choice(("", "", " LLP", " Ltd", " Inc"))
        return f"{surname(chance)}{more} {chance.choice(('&', 'and'))} {surname(chance)}{end}"
    base = chance.choice((made_up, made_up, surname, city, acronym))(chance)
    trade = f" {chance.choice(words('industries'))}" if chance.random() < 0.6 else ""
    form = f"{chance.choice((' ', ' ', ', '))}{chance.choice(words('forms'))}" if style < 0.85 or not trade else ""
    return f"{base}{trade}{form}"


def court(chance: random.Random) -> str:
    return chance.choice(HIGH_COURTS) if chance.random() < 0.2 else f"{city(chance)} {chance.choice(COURTS)}"


def street(chance: random.Random) -> str:
    style, name = chance.random(), chance.choice((surname, surname, town))(chance)
    if style < 0.2:
        return chance.choice(words("streets"))
    if style < 0.7:
        return f"{name} {chance.choice(ROADS)}"
    if style < 0.82:
        return name.replace(" ", "") + chance.choice(ROAD_ENDS)
    return f"{chance.choice(ROAD_STARTS)} {name}"


def address(chance: random.Random, line: str = ", ") -> str:
    number, road, place = chance.randint(1, 9999 if chance.random() < 0.4 else 250), street(chance), city(chance)
    flat = chance.choice(
        ("", "", "", f", Apt. {number % 97 + 1}", f" Suite {chance.randint(100, 999)}", f" #{number % 40 + 1}")
    )
    land = chance.choice(("", "", "", f"{line}{country(chance)}"))
    style = chance.random()
    if style < 0.4:
        code = filled("#####", "#####", "#####-####")(chance)
        return f"{number} {road}{flat}{line}{place}, {chance.choice(words('states'))} {code}{land}"
    if style < 0.6:
        return f"{number} {road}{line}{place}{line}{filled('??# #??', '?## #??', '??## #??')(chance)}{land}"
    if style < 0.8:
        code = filled("#####", "####", "##-###", "### ##")(chance)
        return f"{road} {number}{chance.choice(('', '', 'a', '/3'))}{line}{code} {place}{land}"
    if style < 0.87:
        breaks = chance.choice((" ", "\n"))
        end = f", {filled('??')(chance)}{breaks}{country(chance)} {number * 7 + 10000}"
        return f"{number:05} {road}{flat}{breaks}{place}{breaks}{end}"
    if style < 0.91:
        return f"P.O. Box {number}{line}{place}, {chance.choice(words('states'))} {filled('#####')(chance)}"
    return f"{number} {road}" if style < 0.95 and line == ", " else f"{number} {road}{flat}{line}{place}"


def date(chance: random.Random) -> str:
    return chance.choice((long_date, long_date, short_date, us_date, us_date, day_month))(chance)


def long_date(chance: random.Random) -> str:
    return f"{chance.randint(1, 28)} {chance.choice(MONTHS)} {chance.randint(1950, 2025)}"


def us_date(chance: random.Random) -> str:
    month, day, year = chance.choice(MONTHS), chance.randint(1, 28), chance.randint(1950, 2025)
    short = month[:3] + ("." if month != "May" and chance.random() < 0.4 else "")
    return chance.choice(
        (f"{month} {day}, {year}", f"{short} {day}, {year}", f"{month} {day} {year}", f"{day} {short} {year}")
    )


def day_month(chance: random.Random) -> str:
    month, day = chance.choice(MONTHS), chance.randint(1, 28)
    end = {1: "st", 2: "nd", 3: "rd"}.get(day % 10 if day not in (11, 12, 13) else 0, "th")
    return chance.choice(
        (f"{day} {month}", f"{month} {day}", f"{month} {day}{end}", f"{day}{end} {month}", f"{day}{end} of {month}")
    )


def short_date(chance: random.Random) -> str:
    day, month, year = chance.randint(1, 28), chance.randint(1, 12), chance.randint(1950, 2025)
    named = MONTHS[month - 1][:3]
    return chance.choice((
        f"{month:02}/{day:02}/{year}", f"{day:02}.{month:02}.{year}", f"{year}-{month:02}-{day:02}",
        f"{day}/{month}/{year}",
        f"{month}/{day}/{year % 100:02}", f"{day:02}-{named}-{year}", f"{day:02}-{month:02}-{year}", f"{month}/{day}",
    ))  # fmt: skip


def time(chance: random.Random) -> str:
    hour, minute = chance.randint(0, 23), chance.choice((0, 5, 10, 15, 20, 30, 40, 45, 50, chance.randint(0, 59)))
    short, half = hour % 12 or 12, "am" if hour < 12 else "pm"
    return chance.choice((
        f"{hour:02}:{minute:02}", f"{short}:{minute:02} {half.upper()}", f"{short}{half}", f"{short} {half}",
        f"{short}.{minute:02} {half[0]}.m.", f"{hour}:{minute:02}", f"{short} o'clock", f"{short}:{minute:02}{half}",
        chance.choice(("noon", "midnight", "half past six", "quarter to nine")),
        f"{hour:02}:{minute:02}:{day_second(chance)}",
    ))  # fmt: skip


def day_second(chance: random.Random) -> str:
    return f"{chance.randint(0, 59):02}{chance.choice(('', '', ' AM', ' PM', ' -0800'))}"


def duration(chance: random.Random) -> str:
    unit = chance.choice(UNITS)
    number = chance.choice((*NUMBERS[:11], str(chance.randint(2, 48)), str(chance.randint(2, 48))))
    odd = chance.choice(
        (f"one {unit}", f"a {unit}", f"two and a half {unit}s", f"several {unit}s", f"{number} to 50 {unit}s")
    )
    return odd if chance.random() < 0.25 else f"{number} {unit}s"


def past(chance: random.Random) -> str:
    unit = chance.choice((*DAYS, *MONTHS, "week", "month", "year", "night", "summer", "winter"))
    return chance.choice(("yesterday", "last night", f"last {unit}", f"last {unit}", f"{duration(chance)} ago",
                          "this morning", "today", "the day before yesterday", chance.choice(DAYS)))  # fmt: skip


def soon(chance: random.Random) -> str:
    unit = chance.choice((*DAYS, *MONTHS, "week", "month", "year", "summer", "winter"))
    return chance.choice(
        ("tomorrow", "today", "tonight", f"next {unit}", f"next {unit}", f"this {unit}", chance.choice(DAYS))
    )


def number(chance: random.Random) -> str:
    made = chance.randint(2, chance.choice((9, 99, 999, 9999, 99999, 9999999)))
    return f"{made:,}" if chance.random() < 0.7 else str(made)


def money(chance: random.Random) -> str:
    figure = number(chance) + chance.choice(("", "", "", ".00", ".50", f".{chance.randint(10, 99)}"))
    big = f"{chance.randint(1, 99)}.{chance.randint(1, 9)} {chance.choice(('million', 'billion', 'm', 'bn'))}"
    sign, code, coin = chance.choice("$$$$€€££¥"), chance.choice(words("codes3")), chance.choice(words("currencies"))
    spoken = f"{chance.choice(NUMBERS)} {chance.choice(('hundred', 'thousand', 'million'))} {coin}"
    return chance.choice((
        f"{sign}{figure}", f"{sign}{figure}", f"{sign}{number(chance)}", f"{sign}{big}", f"{figure} {coin}",
        f"{code} {figure}",
        f"{figure} {code}", f"{number(chance)}{chance.choice(('€', ' €', ' USD', '$'))}", spoken,
    ))  # fmt: skip


def small_sum(chance: random.Random) -> str:
    whole, coin = chance.randint(2, 900), chance.choice(("dollars", "euros", "pounds", "bucks", "quid", "rupees"))
    cents = f"{whole}.{chance.randint(10, 99)}"
    return chance.choice(
        (
            f"${whole}",
            f"£{cents}",
            f"€{cents}",
            f"${cents}",
            f"{whole} {coin}",
            f"{cents} EUR",
            f"{chance.choice(NUMBERS)} {coin}",
        )
    )


def court_money(chance: random.Random) -> str:
    figure, (code, coin) = number(chance), chance.choice(list(zip(words("codes3"), words("coins"), strict=True)))
    return chance.choice((f"{figure} euros (EUR)", f"EUR {figure}", f"{code} {figure}", f"{figure} {coin} ({code})"))


def percent(chance: random.Random) -> str:
    figure = chance.choice((str(chance.randint(1, 100)), f"{chance.randint(0, 99)}.{chance.randint(1, 9)}"))
    return chance.choice(
        (f"{figure}%", f"{figure}%", f"{figure} percent", f"{figure} per cent", f"{chance.choice(NUMBERS)} percent")
    )


def counted(section: str) -> Maker:
    """A number of things."""

    def make(chance: random.Random) -> str:
        figure = chance.choice((number(chance), chance.choice(NUMBERS), str(chance.randint(2, 99))))
        return f"{figure} {chance.choice(words(section))}"

    return make


def card(chance: random.Random) -> str:
    start = chance.choice(("4", "5", "37", "6011", "4532", "51"))
    digits = start + "".join(chance.choices(string.digits, k=(15 if start == "37" else 16) - len(start)))
    return spaced(digits, chance.choice(("", " ", "-")))


def spaced(digits: str, joint: str) -> str:
    return joint.join(digits[at : at + 4] for at in range(0, len(digits), 4))


def iban(chance: random.Random) -> str:
    land, size = chance.choice(IBANS)
    middle = "".join(chance.choices(string.ascii_uppercase, k=4)) if land in ("GB", "NL") else ""
    digits = "".join(chance.choices(string.digits, k=size - len(middle)))
    return spaced(f"{land}{chance.randint(10, 98)}{middle}{digits}", chance.choice(("", " ")))


def user(chance: random.Random) -> str:
    one = person(chance)
    name = "".join(
        sign for sign in one.first + chance.choice(("", "_", ".")) + one.last if sign.isascii() and sign not in " '-"
    )
    stem = f"{chance.choice(words('stems'))}{chance.choice(words('work_words'))}{chance.randint(1, 99)}"
    return chance.choice(
        (name, name.lower(), f"{name[:6].lower()}{chance.randint(1, 99)}", f"{name[:8]}_x", stem, stem.lower())
    )


def url(chance: random.Random) -> str:
    if chance.random() < 0.2:
        return f"http://{chance.choice(('bit.ly', 't.co', 'tinyurl.com'))}/{filled('*******')(chance)}"
    path = chance.choice(
        ("", "", filled("/****")(chance), f"/{chance.choice(words('work_words')).lower()}/{filled('###')(chance)}")
    )
    return f"{chance.choice(('http://', 'https://', 'www.', 'https://www.', ''))}{domain(chance)}{path}"


def age_words(chance: random.Random) -> str:
    age = chance.randint(1, 95)
    return chance.choice(
        (f"{age} years old", f"{age} years of age", f"{age} y/o", f"{age} yrs old", f"{age}", "fifty-two years old")
    )


def age_before(chance: random.Random) -> str:
    age = chance.randint(1, 95)
    odd = (f"{age} year old", f"{age}-year old", f"{age}yo", "eight-month-old", "sixty-year-old", f"{age} y.o.")
    return chance.choice(odd) if chance.random() < 0.4 else f"{age}-year-old"


def work(chance: random.Random) -> str:
    if chance.random() < 0.55:
        return chance.choice(words("works"))
    one, two = chance.sample(words("work_words"), 2)
    made = (
        f"The {one} of {two}s",
        f"The {one}'s {two}",
        f"{one} and {two}",
        f"The {one}",
        f"My {one} {two}",
        f"{one} {two}",
    )
    return chance.choice(made)


def band(chance: random.Random) -> str:
    if chance.random() < 0.6:
        return chance.choice(words("bands"))
    one, two = chance.sample(words("work_words"), 2)
    return chance.choice((f"The {one}s", f"{one} {two}", f"{two}{one.lower()}", f"The {one} {two}s"))


def famous(chance: random.Random) -> str:
    name = chance.choice(words("famous")) if chance.random() < 0.65 else full(person(chance), chance)
    return name.split()[-1] if chance.random() < 0.12 and name[-1] != "." else name


PHONE = filled(
    "(###) ###-####", "###-###-####", "+1 ### ### ####", "+44 20 #### ####", "0### ######", "+49 ### #######",
    "##########",
    "+33 # ## ## ## ##", "###.###.####", "+48 ### ### ###", "07### ######", "+90 (###) ### ## ##", "1-800-###-####",
    "+91 ##########", "x#####", "0## ### ## ##", "###-###-####x####", "001-###-###-####", "(###)###-####x###",
    "###-####",
)  # fmt: skip
CODE = filled("??######", "########", "#########", "??-####-##", "?#######?", "###-##-####", "????####", "?-#####",
    "##-#######",
              "????##??####", "######-####", "?##-##-###")  # fmt: skip
HOSPITAL = text("{city} General Hospital", "St. {first}'s Hospital", "{city} Medical Center", "{surname} Clinic",
                "University Hospital of {city}", "Mercy Hospital", "{city} State Hospital",
                "{surname} Memorial Hospital",
                "{city} Forensic Medicine Institute", "St {first} Hospice", "{surname} Surgery Center")  # fmt: skip
UNIVERSITY = text("University of {city}", "{city} University", "{city} Institute of Technology", "{surname} College",
    "Harvard",
                  "MIT", "Oxford University", "{surname} University", "Technical University of {city}",
                  "{city} Polytechnic",
                  "UCLA", "Stanford University", "{city} State University", "Yale", "Cambridge")  # fmt: skip
SCHOOL = text("{surname} High School", "{city} Primary School", "St. {first}'s School", "{city} Grammar School",
              "{surname} Elementary School", "{surname} Academy", "Lycée {surname}",
              "{surname} Middle School")  # fmt: skip
CLUB = some(of("clubs"), of("clubs"), text("FC {city}", "{city} United", "{city} City", "Real {city}",
    "Dynamo {city}",
                                           "{city} Rovers", "{city} Tigers", "{city}"))  # fmt: skip
BANK = some(of("banks"), of("banks"), text("Bank of {city}", "{surname} Bank", "{city} Savings Bank",
    "First {city} Bank",
                                           "{city} Credit Union"))  # fmt: skip
MINISTRY = some(of("ministries"), text("{nat} Ministry of Justice", "{city} Police Department", "{city} City Council",
                                       "{city} Tax Office", "{nat} Embassy", "{city} Municipality"))  # fmt: skip
SOCIETY = text("{city} Philharmonic", "{surname} Foundation", "{nat} Football Association",
    "{city} Chamber of Commerce",
               "{surname} Institute", "{nat} Red Crescent", "{city} Bar Association", "Friends of {city}",
               "{city} Orchestra",
               "Museum of {city}", "{nat} Academy of Sciences", "Union of {nat} Workers",
               "{city} Theatre")  # fmt: skip
REGION, BUILDING, NATURE = of("regions"), of("buildings"), of("nature")

ORGS: dict[str, Maker] = {
    "company": company,
    "org": some(company, company, of("bodies"), of("bodies"), BANK, UNIVERSITY, MINISTRY, of("parties"), acronym,
    SOCIETY),
    "acronym": acronym, "court": court, "hospital": HOSPITAL, "brand": some(of("brands"), of("brands"), made_up),
    "bank": BANK, "univ": UNIVERSITY, "school": SCHOOL, "club": CLUB, "band": band, "party": of("parties"),
    "ministry": MINISTRY, "body": of("bodies"), "paper": of("papers"), "airline": of("airlines"), "society": SOCIETY,
    "telecom": of("telecoms"), "natgov": text("{nat} Government"),
    "police": text("{city} Police", "{city} Security Directorate", "{city} Police Department", "{city} Gendarmerie"),
    "republic": text("Republic of {land_name}", "Republic of {land_name}", "Kingdom of {land_name}",
    "Government of {land_name}"),
    "hotel": text("Hotel {city}", "{city} Hilton", "Grand Hotel {surname}", "Marriott", "Holiday Inn",
    "{surname} Inn"),
    "restaurant": text("{first}'s", "Café {surname}", "Trattoria {surname}", "{surname}'s Diner", "Chipotle",
    "Nando's",
                       "The {surname}", "Chez {first}", "{city} Grill"),
}  # fmt: skip
LOCS: dict[str, Maker] = {
    "city": city, "town": town, "country": the_country, "region": REGION, "street": street, "building": BUILDING,
    "nature": NATURE, "address": address, "addressml": lambda chance: address(chance, "\n"),
    "statecode": of("states"),
    "place": some(city, city, city, the_country, the_country, REGION), "land": some(REGION, the_country),
    "airport": text("{city} Airport", "JFK", "Heathrow", "Schiphol", "{city} International Airport"),
    "prison": text("{city} Prison", "{city} County Jail", "{city} F-Type Prison", "{city} Remand Prison"),
    "church": text("St. {first}'s Church", "{city} Cathedral", "{surname} Chapel", "{surname} Funeral Home"),
    "zip": filled("#####", "#####-####", "??# #??"), "village": text("{town}", "{town} village",
    "northern {land_name}"),
}  # fmt: skip
CODES: dict[str, Maker] = {
    "card": card, "iban": iban, "phone": PHONE, "email": lambda chance: person(chance).mail, "url": url, "code": CODE,
    "account": filled("########", "##########", "####-#####", "####### ##", "######"), "user": user,
    "ssn": filled("###-##-####", "###-##-####", "#########"), "handle": lambda chance: "@" + user(chance),
    "password": filled("****##?!", "?****##", "********", "?*?*?*##$"), "last4": filled("####"),
    "otp": filled("######", "####"),
    "case": filled("#####/##", "#####/##", "####/##"), "docket": filled("###/####", "## ? ###/##", "? ### ### ##/##",
    "####/###"),
    "mrn": filled("#######", "########", "MRN######", "##-##-##", "######"), "flight": filled("?? ###", "??####",
    "??###"),
    "plate": filled("?? ### ??", "???-####", "## ??? ##", "???####", "?-?? ####"), "mac": filled("##:#A:B#:##:FE:#C"),
    "ip": lambda chance: ".".join(str(chance.randint(1, 254)) for _ in range(4)), "bic": filled("????DEFF",
    "????PLPW???"),
    "invoice": filled("INV-#####", "####-###", "RE######", "######", "#####/####"), "sort": filled("##-##-##",
    "######"),
    "order": filled("#######", "###-#######-#######", "?#####", "#########"), "pnr": filled("?#?#?#", "??????",
    "?##??#"),
    "passport": filled("?########", "?#######", "#########"), "vat": filled("DE#########", "GB### #### ##",
    "ATU########"),
    "msgid": lambda chance: f"{filled('########.?###', '?***?##')(chance)}@{domain(chance)}",
    "wallet": filled("bc1q" + "*" * 34, "1" + "*" * 32, "0x" + "*" * 40), "key": filled("sk-" + "*" * 24,
    "AKIA" + "?" * 16),
}  # fmt: skip
TIMES: dict[str, Maker] = {
    "date": date, "longdate": long_date, "shortdate": short_date, "dob": date, "date_noyear": day_month, "time": time,
    "monthday": text("{month_only} {day}"), "month": text("{month_only} {year}", "{month_only} {year}",
    "{month_only}"),
    "year": between(1930, 2025), "weekday": plain(*DAYS * 3, *(day[:3] for day in DAYS[:5])), "dur": duration,
    "past": past,
    "soon": soon, "rel": some(past, soon), "expiry": filled("0#/2#", "1/2#", "0#/202#"), "decade": filled("19#0s",
    "##th century"),
    "years_span": text("{year}-{year}", "{year} - {year}", "{year} – {year}"), "stamp": text("{shortdate} {clock}"),
    "fulldate": text("{weekday_only}, {longdate} {clock}", "{weekday_only}, {us_date} {clock}"),
}  # fmt: skip
SUMS: dict[str, Maker] = {
    "money": money, "cash": small_sum, "money_court": court_money, "percent": percent, "count": counted("things"),
    "goods": counted("goods"), "persons": counted("persons"), "seats": counted("seats"),
    "measure": measured(words("units"), 999), "distance": measured(("km", "miles", "metres", "kilometres", "m",
    "yards"), 900),
    "area": measured(("square metres", "hectares", "acres", "sq ft", "m²"), 900), "data": measured(("GB", "MB",
    "Mbit/s"), 500),
    "dose": measured(("mg", "mg", "mcg", "units", "ml"), 500), "weight": measured(("kg", "pounds", "lbs", "g"), 200),
    "kids": plain("two children", "three children", "four sons", "two daughters", "five grandchildren"),
}  # fmt: skip
TRAITS: dict[str, Maker] = {
    "age": age_before, "years": age_words, "agen": between(2, 95), "nat": nationality, "religion": of("religions"),
    "natl": text("{nat} national", "{nat} national", "{nat} citizen"), "natls": text("{nat} nationals",
    "{nat} citizens"), "ethnic": of("ethnic"), "job": of("jobs"),
    "diag": of("diagnoses"), "status": of("status"), "language": of("languages"), "post": of("posts"),
}  # fmt: skip
WORKS: dict[str, Maker] = {
    "work": work, "product": of("products"), "car": of("cars"), "law": of("laws"), "event": of("events", "cups",
    "awards", "feasts"),
    "cup": of("cups"), "award": of("awards"), "feast": of("feasts"),
    "war": of("wars"), "artlaw": text("Article {num} of the {law}", "section {num} of the {law}"),
    "app": of("apps"),
}  # fmt: skip
PLAIN: dict[str, Maker] = {
    "surname": surname, "land_name": country, "first": first_name, "month_only": plain(*MONTHS), "day": between(1, 28),
    "us_date": us_date,
    "weekday_only": plain(*DAYS, *(day[:3] for day in DAYS)), "clock": filled("0#:#5 AM", "1#:3# PM", "1#:4#",
    "0#:##:##"),
    "disaster": plain("earthquake", "flood", "storm", "attack", "crash"), "num": between(2, 400), "num1": between(0,
    9),
    "num2": filled("##.##", "#:##.##", "###", "#,###"), "drug": of("drugs"), "organ": of("organs"),
    "seat": filled("1#A", "2#C"),
    "noun": of("nouns"), "verb": of("verbs"), "adj": of("adjectives"), "act": of("actions"),
    "lb": plain("["), "rb": plain("]"), "emoji": plain("😂", "❤️", "🔥", "🙏", "😭😭", "👍"),
    "nouns": lambda chance: chance.choice(words("nouns")) + "s",
}  # fmt: skip
VALUES: dict[str, tuple[str | None, Maker]] = {
    name: (kind, maker)
    for kind, makers in (
        ("ORG", ORGS), ("LOC", LOCS), ("CODE", CODES), ("DATETIME", TIMES), ("QUANTITY", SUMS), ("DEM", TRAITS),
        ("MISC", WORKS), (None, PLAIN), ("PERSON", {"famous": famous}),
    )
    for name, maker in makers.items()
}  # fmt: skip
