//! Reads the text of a PDF back as programs that search or copy it do: by the ToUnicode maps of its fonts, and by
//! ActualText. Only for files as `crates/pdf` writes them, whose objects are not compressed. Shares no code with it.

use std::collections::BTreeMap;
use std::io::Read;
use std::mem::take;

/// The text of each line of each page: what has one baseline, from left to right.
pub fn lines(pdf: &[u8]) -> Vec<String> {
    let objects = objects(pdf);
    let pages = objects.values().filter(|object| object.head.contains("/Type /Page\n"));
    pages.flat_map(|page| page_lines(page, &objects)).collect()
}

struct Object {
    head: String,
    stream: Vec<u8>,
}

type Objects = BTreeMap<u32, Object>;

fn objects(mut rest: &[u8]) -> Objects {
    let mut found = Objects::new();
    while let Some(at) = find(rest, b" 0 obj\n") {
        let before = String::from_utf8_lossy(&rest[..at]);
        let id = before.lines().last().unwrap().parse().unwrap();
        rest = &rest[at + b" 0 obj\n".len()..];
        let end = find(rest, b"endobj").unwrap();
        let start = find(&rest[..end], b"\nstream\n");
        let head = String::from_utf8_lossy(&rest[..start.unwrap_or(end)]).into_owned();
        let mut stream = Vec::new();
        if let Some(start) = start {
            let start = start + b"\nstream\n".len();
            let length = number_after(&head, "/Length ").unwrap() as usize;
            let mut inflate = flate2::read::ZlibDecoder::new(&rest[start..start + length]);
            inflate.read_to_end(&mut stream).unwrap();
            rest = &rest[start + length..];
        }
        found.insert(id, Object { head, stream });
    }
    found
}

fn find(text: &[u8], wanted: &[u8]) -> Option<usize> {
    text.windows(wanted.len()).position(|window| window == wanted)
}

fn number_after(text: &str, key: &str) -> Option<u32> {
    let (_, after) = text.split_once(key)?;
    after.split(|letter: char| !letter.is_ascii_digit()).next()?.parse().ok()
}

/// The text of each glyph.
type ToUnicode = BTreeMap<u16, String>;

/// `/F0` and its map, for each font in a page's resources.
fn fonts(page: &Object, objects: &Objects) -> BTreeMap<String, ToUnicode> {
    let (_, fonts) = page.head.split_once("/Font <<").unwrap();
    let lines = fonts.lines().map(str::trim).filter(|line| line.starts_with("/F"));
    let font = |line: &str| {
        let (name, _) = line.split_once(' ').unwrap();
        let font = &objects[&number_after(line, &format!("{name} ")).unwrap()];
        let map = &objects[&number_after(&font.head, "/ToUnicode ").unwrap()];
        let mut texts = ToUnicode::new();
        for line in String::from_utf8_lossy(&map.stream).lines() {
            let parts: Vec<&str> = line.split(['<', '>', ' ']).filter(|p| !p.is_empty()).collect();
            if let ([glyph, text], true) = (&parts[..], line.starts_with('<')) {
                // Another line of four digits is the range of glyph ids.
                let units: Vec<u16> = utf16(&bytes_of_hex(text));
                texts.insert(u16::from_str_radix(glyph, 16).unwrap(), text_of(&units));
            }
        }
        (name.to_owned(), texts)
    };
    lines.map(font).collect()
}

fn bytes_of_hex(hex: &str) -> Vec<u8> {
    let digits: Vec<u8> = hex.chars().map(|digit| digit.to_digit(16).unwrap() as u8).collect();
    digits.chunks(2).map(|pair| pair[0] * 16 + pair[1]).collect()
}

fn utf16(bytes: &[u8]) -> Vec<u16> {
    bytes.chunks(2).map(|pair| u16::from_be_bytes([pair[0], pair[1]])).collect()
}

fn text_of(units: &[u16]) -> String {
    String::from_utf16(units).unwrap()
}

fn page_lines(page: &Object, objects: &Objects) -> Vec<String> {
    let fonts = fonts(page, objects);
    let content = &objects[&number_after(&page.head, "/Contents ").unwrap()].stream;
    let (mut font, mut at, mut is_replaced) = (String::new(), (0, 0), false);
    // By baseline and left edge, in thousandths of a point; the upper edge of a page has the highest y.
    let mut texts: BTreeMap<i64, BTreeMap<i64, String>> = BTreeMap::new();
    for Operation { name, operands, strings } in operations(content) {
        match name.as_str() {
            "Tf" => font.clone_from(&operands[0]),
            "Tm" => {
                let place = |index: usize| operands[index].parse::<f64>().unwrap() * 1000.0;
                at = (-place(5) as i64, place(4) as i64);
            }
            "BDC" if operands.iter().any(|operand| operand == "/ActualText") => {
                let text = match strings[0].strip_prefix(b"\xfe\xff") {
                    Some(units) => text_of(&utf16(units)),
                    None => String::from_utf8(strings[0].clone()).unwrap(),
                };
                *texts.entry(at.0).or_default().entry(at.1).or_default() += &text;
                is_replaced = true;
            }
            "EMC" => is_replaced = false,
            "Tj" | "TJ" if !is_replaced => {
                for glyph in strings.iter().flat_map(|glyphs| utf16(glyphs)) {
                    let text = fonts[&font].get(&glyph);
                    let text = text.unwrap_or_else(|| panic!("{font} has no text of {glyph}"));
                    *texts.entry(at.0).or_default().entry(at.1).or_default() += text;
                }
            }
            _ => {}
        }
    }
    texts.into_values().map(|line| line.into_values().collect()).collect()
}

struct Operation {
    name: String,
    operands: Vec<String>,
    strings: Vec<Vec<u8>>,
}

fn operations(content: &[u8]) -> Vec<Operation> {
    let (mut found, mut operands, mut strings) = (Vec::new(), Vec::new(), Vec::new());
    let mut at = 0;
    while at < content.len() {
        match content[at] {
            b'(' => strings.push(literal_string(content, &mut at)),
            b'<' if content[at + 1] == b'<' => at += 2,
            b'<' => {
                let end = at + find(&content[at..], b">").unwrap();
                strings.push(bytes_of_hex(std::str::from_utf8(&content[at + 1..end]).unwrap()));
                at = end + 1;
            }
            b'>' | b'[' | b']' | b' ' | b'\n' => at += 1,
            first => {
                let ends = |byte: &u8| b" \n[]<>(/".contains(byte);
                let length = content[at + 1..].iter().position(ends);
                let end = length.map_or(content.len(), |length| at + 1 + length);
                let word = String::from_utf8(content[at..end].to_vec()).unwrap();
                at = end;
                if first.is_ascii_alphabetic() {
                    let (operands, strings) = (take(&mut operands), take(&mut strings));
                    found.push(Operation { name: word, operands, strings });
                } else {
                    operands.push(word);
                }
            }
        }
    }
    found
}

fn literal_string(content: &[u8], at: &mut usize) -> Vec<u8> {
    let (mut bytes, mut depth) = (Vec::new(), 0);
    loop {
        let byte = content[*at];
        *at += 1;
        match byte {
            b'(' if depth == 0 && bytes.is_empty() => depth = 1,
            b')' if depth == 1 => return bytes,
            b'\\' => bytes.push(escaped_byte(content, at)),
            _ => {
                depth += i32::from(byte == b'(') - i32::from(byte == b')');
                bytes.push(byte);
            }
        }
    }
}

fn escaped_byte(content: &[u8], at: &mut usize) -> u8 {
    let byte = content[*at];
    let length = if byte.is_ascii_digit() { 3 } else { 1 };
    let octal = std::str::from_utf8(&content[*at..*at + length]).unwrap();
    *at += length;
    match byte {
        b'n' => b'\n',
        b'r' => b'\r',
        b't' => b'\t',
        b'b' => 8,
        b'f' => 12,
        b'0'..=b'7' => u8::from_str_radix(octal, 8).unwrap(),
        escaped => escaped,
    }
}
