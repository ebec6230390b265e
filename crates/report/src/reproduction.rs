//! The reproduction of the papers as an HTML page, and as the document in `docs/`.

mod drawing;

use std::fmt::Write;

use errare_service::reproduce::{Answer, PaperEntry, PaperVerdict};

/// The papers, in order: the first part of the entries' names, and the citation.
const PAPERS: [(&str, &str); 6] = [
    ("haworth-2001", "Haworth (2001), Depth by The Rule"),
    (
        "haworth-2002",
        "Haworth (2002), Reference fallible endgame play",
    ),
    (
        "haworth-andrist-2004",
        "Haworth and Andrist (2004), Model endgame analysis",
    ),
    (
        "levene-fenner",
        "Levene and Fenner, The effect of mobility on minimaxing of game trees with random leaf values",
    ),
    (
        "regan-haworth-2011",
        "Regan and Haworth (2011), Intrinsic chess ratings",
    ),
    (
        "open-experiments",
        "Experiments that Haworth and Andrist leave open",
    ),
];

const STYLE: &str = include_str!("reproduction/page.css");

/// A verdict in words.
pub fn verdict(entry: &PaperEntry) -> &'static str {
    match entry.verdict {
        PaperVerdict::Equal => "equal to the printed digits",
        PaperVerdict::WithinError => "equal within the error of the experiment",
        PaperVerdict::Differs => "differs",
        PaperVerdict::NotComputable => "not computable",
        PaperVerdict::Beyond => "beyond the paper",
    }
}

/// A sign for the verdict.
pub fn sign(entry: &PaperEntry) -> &'static str {
    shape(entry.verdict).0
}

/// A sign and a CSS class for the verdict, so that shape as well as colour distinguishes them.
fn shape(verdict: PaperVerdict) -> (&'static str, &'static str) {
    match verdict {
        PaperVerdict::Equal => ("=", "equal"),
        PaperVerdict::WithinError => ("≈", "equal"),
        PaperVerdict::Differs => ("≠", "differs"),
        PaperVerdict::NotComputable => ("–", "missing"),
        PaperVerdict::Beyond => ("+", "beyond"),
    }
}

/// The number of entries with each verdict, as a sentence.
pub fn summary(answer: &Answer) -> String {
    let count = |verdict: PaperVerdict| {
        answer
            .entries
            .iter()
            .filter(|entry| entry.verdict == verdict)
            .count()
    };
    let surprises = answer.surprises().count();
    let surprising = answer
        .surprises()
        .filter(|entry| entry.verdict == PaperVerdict::Differs);
    format!(
        "{}: {} equal to the printed digits, {} equal within the error of a random experiment, {} differ for a known \
         reason, {} not computable, {} beyond the papers{}.",
        match answer.entries.len() {
            1 => "1 entry".to_owned(),
            many => format!("{many} entries"),
        },
        count(PaperVerdict::Equal),
        count(PaperVerdict::WithinError),
        count(PaperVerdict::Differs) - surprising.count(),
        count(PaperVerdict::NotComputable),
        count(PaperVerdict::Beyond),
        match surprises {
            0 => String::new(),
            1 => "; 1 is not what it should be".to_owned(),
            many => format!("; {many} are not what they should be"),
        },
    )
}

/// The part of a name that one command reproduces: paper and place.
fn place_of(entry: &PaperEntry) -> String {
    entry.id.split('/').take(2).collect::<Vec<_>>().join("/")
}

/// The entries of a paper, grouped by place.
fn places<'a>(answer: &'a Answer, paper: &str) -> Vec<(String, Vec<&'a PaperEntry>)> {
    let mut places: Vec<(String, Vec<&PaperEntry>)> = Vec::new();
    for entry in answer.entries.iter().filter(|entry| entry.paper == paper) {
        let place = place_of(entry);
        match places.iter_mut().find(|(known, _)| *known == place) {
            Some((_, entries)) => entries.push(entry),
            None => places.push((place, vec![entry])),
        }
    }
    places
}

/// A self-contained page, for light and dark screens and for paper.
pub fn page(answer: &Answer) -> String {
    let mut body = String::new();
    let mut contents = String::new();
    for (paper, title) in PAPERS {
        let places = places(answer, paper);
        if places.is_empty() {
            continue;
        }
        let links: Vec<String> = places
            .iter()
            .map(|(place, _)| {
                let name = place.trim_start_matches(paper).trim_start_matches('/');
                format!("<a href=\"#{place}\">{name}</a>")
            })
            .collect();
        let _ = writeln!(
            contents,
            "<li><a href=\"#{paper}\">{}</a> <span class=\"counts\">{}</span><p class=\"why\">{}</p></li>",
            escape(title),
            counts(places.iter().flat_map(|(_, entries)| entries).copied()),
            links.join(", ")
        );
        let _ = writeln!(body, "<h2 id=\"{paper}\">{}</h2>", escape(title));
        for (place, entries) in places {
            section(&mut body, &place, &entries);
        }
    }
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>The papers, computed again</title>\n\
         <style>\n{STYLE}</style>\n<main>\n<h1>The papers, computed again</h1>\n\
         <p>{}</p>\n<p class=\"legend\"><b class=\"equal\">=</b> equal to the printed digits, <b class=\"equal\">≈</b> equal within \
         the error of a random experiment, <b class=\"differs\">≠</b> differs, <b class=\"missing\">–</b> not computable, \
         <b class=\"beyond\">+</b> beyond the paper. Made by errare {} with <code>errare reproduce</code>.</p>\n\
         <nav><ol>\n{contents}</ol></nav>\n{}{body}</main>\n</html>\n",
        escape(&summary(answer)),
        escape(&answer.version),
        differing(answer),
    )
}

/// How many entries have each verdict, by its sign.
fn counts<'a>(entries: impl Iterator<Item = &'a PaperEntry>) -> String {
    const VERDICTS: [PaperVerdict; 5] = [
        PaperVerdict::Equal,
        PaperVerdict::WithinError,
        PaperVerdict::Differs,
        PaperVerdict::NotComputable,
        PaperVerdict::Beyond,
    ];
    let verdicts: Vec<PaperVerdict> = entries.map(|entry| entry.verdict).collect();
    let count = |verdict: PaperVerdict| verdicts.iter().filter(|each| **each == verdict).count();
    let counted = VERDICTS.map(|verdict| (shape(verdict), count(verdict)));
    let shown = counted.into_iter().filter(|(_, count)| *count > 0);
    shown
        .map(|((sign, class), count)| format!("<b class=\"{class}\">{sign}</b>\u{a0}{count}"))
        .collect::<Vec<_>>()
        .join(" ")
}

/// Everything that differs from the paper, collapsed: the first thing to know about a reproduction.
fn differing(answer: &Answer) -> String {
    let differs = |entry: &&PaperEntry| entry.verdict == PaperVerdict::Differs;
    let items: String = answer
        .entries
        .iter()
        .filter(differs)
        .map(|entry| {
            format!(
                "<li><a href=\"#entry-{}\">{}</a>: {}</li>\n",
                entry.id,
                escape(&entry.id),
                escape(entry.why.as_deref().unwrap_or("not explained"))
            )
        })
        .collect();
    match items.is_empty() {
        true => String::new(),
        false => format!(
            "<details><summary>What differs from print, and why</summary>\n<ul>\n{items}</ul>\n</details>\n"
        ),
    }
}

fn section(body: &mut String, place: &str, entries: &[&PaperEntry]) {
    // Entries that were computed together have the same time.
    let mut seconds: Vec<f64> = entries.iter().map(|entry| entry.seconds).collect();
    seconds.dedup();
    let seconds: f64 = seconds.iter().sum();
    let figures: String = entries
        .iter()
        .filter_map(|entry| entry.figure.as_ref())
        .map(drawing::svg)
        .collect();
    let rows: String = entries.iter().map(|entry| row(entry)).collect();
    let class = if figures.is_empty() {
        ""
    } else {
        " class=\"drawn\""
    };
    let _ = writeln!(
        body,
        "<section id=\"{place}\"{class}>\n<h3>{}</h3>\n\
         <p class=\"command\"><code>errare reproduce {place}</code> {seconds:.1} s</p>\n<div class=\"pair\">\n{figures}\
         <div class=\"table\"><table>\n<tr><th></th><th>what</th><th>printed</th><th>computed</th></tr>\n\
         {rows}</table></div>\n</div>\n</section>",
        escape(&entries[0].place),
    );
}

/// An entry as a row of its table.
fn row(entry: &PaperEntry) -> String {
    let (sign, class) = shape(entry.verdict);
    let surprising = if entry.verdict == entry.expected {
        ""
    } else {
        " class=\"surprise\""
    };
    let why = entry
        .why
        .as_ref()
        .map(|why| format!("<p class=\"why\">{}</p>", escape(why)));
    let difference =
        difference(entry).map(|difference| format!("<p class=\"why\">difference {difference}</p>"));
    format!(
        "<tr{surprising} id=\"entry-{}\"><td class=\"{class}\" title=\"{}\">{sign}</td><td>{}{}</td><td>{}</td><td>{}{}</td></tr>\n",
        entry.id,
        verdict(entry),
        escape(&entry.claim),
        why.unwrap_or_default(),
        escape(&entry.printed),
        escape(entry.computed.as_deref().unwrap_or("-")),
        difference.unwrap_or_default(),
    )
}

/// Computed minus printed, if it exceeds the rounding of the printed number.
fn difference(entry: &PaperEntry) -> Option<String> {
    let shown = matches!(
        entry.verdict,
        PaperVerdict::Differs | PaperVerdict::WithinError
    );
    let difference = entry.difference.filter(|_| shown)?;
    Some(match difference.fract() == 0.0 {
        true => format!("{difference:+}"),
        false => format!("{difference:+.3}"),
    })
}

/// The document in `docs/`.
pub fn markdown(answer: &Answer) -> String {
    let mut text = format!(
        "# The papers, computed again\n\nThis document is written by `errare reproduce --markdown docs/reproduction.md`; do not edit \
         it by hand. `errare reproduce --html FILE` makes a page with the figures, `errare reproduce NAME` computes one \
         place alone. {}\n",
        summary(answer)
    );
    for (paper, title) in PAPERS {
        let places = places(answer, paper);
        if places.is_empty() {
            continue;
        }
        let _ = write!(
            text,
            "\n## {title}\n\n| name | what | printed | computed | verdict |\n|---|---|---|---|---|\n"
        );
        for entry in places.iter().flat_map(|(_, entries)| entries) {
            let why = entry
                .why
                .as_ref()
                .map_or(String::new(), |why| format!(": {why}"));
            let difference =
                difference(entry).map_or(String::new(), |difference| format!(" ({difference})"));
            let cells = [
                format!(
                    "`{}`",
                    entry.id.trim_start_matches(paper).trim_start_matches('/')
                ),
                entry.claim.clone(),
                entry.printed.clone(),
                entry.computed.clone().unwrap_or_else(|| "-".to_owned()),
                format!("{}{difference}{why}", verdict(entry)),
            ];
            let cells = cells.map(|cell| cell.replace('|', "\\|"));
            let _ = writeln!(text, "| {} |", cells.join(" | "));
        }
    }
    text
}

fn escape(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    text.replace('>', "&gt;").replace('"', "&quot;")
}
