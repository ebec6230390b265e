//! Reports as self-contained HTML pages.

mod calibration;
mod rating;
mod screening;

pub use calibration::calibration;
pub use rating::{rating, ratings};
pub use screening::screening;

use errare_service::Evidence;

/// Shown on every page about people.
pub(crate) const NO_FINDING: &str = "Nothing on this page is a finding about a person.";

/// The pages' style. It also colours the drawings, so that they are readable in dark mode.
const STYLE: &str = include_str!("page/page.css");
/// Longer lists of events or sites are counted instead.
const MOST_LISTED: usize = 12;

/// A page under construction.
#[derive(Debug)]
pub(crate) struct Page {
    title: String,
    body: String,
}

/// The contents of a table cell.
#[derive(Debug, Clone)]
pub(crate) enum Cell {
    /// A text.
    Text(String),
    /// A link to a place on the page.
    Link {
        /// The text.
        text: String,
        /// The place.
        to: String,
    },
    /// A text with a CSS class.
    Marked {
        /// The text.
        text: String,
        /// The class.
        class: &'static str,
    },
}

impl From<String> for Cell {
    fn from(text: String) -> Cell {
        Cell::Text(text)
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Cell {
        Cell::Text(text.to_owned())
    }
}

impl Page {
    /// An empty page.
    #[must_use]
    pub(crate) fn new(title: &str) -> Page {
        let title = escape(title);
        let body = format!("<h1>{title}</h1>\n");
        Page { title, body }
    }

    /// A heading.
    pub(crate) fn heading(&mut self, text: &str) {
        self.body += &format!("<h2>{}</h2>\n", escape(text));
    }

    /// A minor heading with an id for links.
    pub(crate) fn subheading(&mut self, id: &str, text: &str) {
        let id = match id {
            "" => String::new(),
            id => format!(" id=\"{}\"", escape(id)),
        };
        self.body += &format!("<h3{id}>{}</h3>\n", escape(text));
    }

    /// A paragraph.
    pub(crate) fn paragraph(&mut self, text: &str) {
        self.body += &format!("<p>{}</p>\n", escape(text));
    }

    /// A paragraph that stands out.
    pub(crate) fn warning(&mut self, text: &str) {
        self.body += &format!("<p class=\"warning\">{}</p>\n", escape(text));
    }

    /// A table; the first column is text, the others are numbers.
    pub(crate) fn table<C: Into<Cell>>(
        &mut self,
        head: &[&str],
        rows: impl IntoIterator<Item = Vec<C>>,
    ) {
        self.body += "<div class=\"table\"><table>\n<thead><tr>";
        for text in head {
            self.body += &format!("<th>{}</th>", escape(text));
        }
        self.body += "</tr></thead>\n<tbody>\n";
        for row in rows {
            self.row(row);
        }
        self.body += "</tbody></table></div>\n";
    }

    /// The key figures, each with its name and a note.
    pub(crate) fn figures<'a>(
        &mut self,
        figures: impl IntoIterator<Item = (&'a str, String, String)>,
    ) {
        self.body += "<dl class=\"figures\">\n";
        for (name, value, beside) in figures {
            self.body += &format!(
                "<div><dt>{}</dt><dd><b>{}</b> <span>{}</span></dd></div>\n",
                escape(name),
                escape(&value),
                escape(&beside)
            );
        }
        self.body += "</dl>\n";
    }

    /// Facts, each with its name.
    pub(crate) fn facts<'a>(&mut self, facts: impl IntoIterator<Item = (&'a str, String)>) {
        self.body += "<div class=\"table\"><table class=\"facts\">\n";
        for (name, value) in facts {
            self.row(vec![name.to_owned(), value]);
        }
        self.body += "</table></div>\n";
    }

    fn row<C: Into<Cell>>(&mut self, row: Vec<C>) {
        self.body += "<tr>";
        for cell in row {
            self.body += &match cell.into() {
                Cell::Text(text) => format!("<td>{}</td>", escape(&text)),
                Cell::Marked { text, class } => {
                    format!("<td class=\"{class}\">{}</td>", escape(&text))
                }
                Cell::Link { text, to } => format!(
                    "<td><a href=\"#{}\">{}</a></td>",
                    escape(&to),
                    escape(&text)
                ),
            };
        }
        self.body += "</tr>\n";
    }

    /// Starts a collapsible section.
    pub(crate) fn open_details(&mut self, id: &str, summary: &str) {
        let (id, summary) = (escape(id), escape(summary));
        self.body += &format!("<details id=\"{id}\"><summary>{summary}</summary>\n");
    }

    /// Ends a collapsible section.
    pub(crate) fn close_details(&mut self) {
        self.body += "</details>\n";
    }

    /// A drawing.
    pub(crate) fn svg(&mut self, svg: &str) {
        self.body += svg;
        self.body += "\n";
    }

    /// The complete HTML, with the footer of every page about people.
    #[must_use]
    pub(crate) fn finish(&self) -> String {
        let Page { title, body } = self;
        format!(
            "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width\">\n\
             <meta name=\"color-scheme\" content=\"light dark\">\n<title>{title}</title>\n\
             <style>\n{STYLE}</style>\n{body}<footer><p>{NO_FINDING}</p></footer>\n</html>\n"
        )
    }
}

/// Adds the provenance of a report: games, engine, command.
fn provenance(page: &mut Page, evidence: &Evidence, command: Option<&str>) {
    page.heading("Basis");
    let mut facts = vec![
        ("Event", listed(&evidence.events)),
        ("Site", listed(&evidence.sites)),
        (
            "Dates",
            match &evidence.dates {
                None => "not stated".to_owned(),
                Some([first, last]) if first == last => first.clone(),
                Some([first, last]) => format!("{first} to {last}"),
            },
        ),
        ("Games", evidence.games.to_string()),
        ("Source", evidence.file.path.display().to_string()),
        ("SHA-256 of the source", evidence.file.sha256.clone()),
        ("Engine", evidence.engine.to_string()),
        ("Evaluations", evidence.study.display().to_string()),
        ("Program", format!("Errare {}", evidence.version)),
    ];
    if let Some(command) = command {
        facts.push(("Command", command.to_owned()));
    }
    if !evidence.bad_games.is_empty() {
        let skipped = evidence
            .bad_games
            .iter()
            .map(|game| format!("game {}: {}", game.number, game.reason));
        facts.push(("Games skipped", skipped.collect::<Vec<_>>().join("; ")));
    }
    page.facts(facts);
}

/// Events or sites; only their number for a study of many tournaments.
fn listed(texts: &[String]) -> String {
    match texts.len() {
        0 => "not stated".to_owned(),
        1..=MOST_LISTED => texts.join("; "),
        many => format!("{many} different ones"),
    }
}

fn escape(text: &str) -> String {
    let text = text.replace('&', "&amp;");
    text.replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_people_are_called_is_no_markup() {
        let mut page = Page::new("<b> & \"c\"");
        page.table(
            &["a"],
            [vec![Cell::Link {
                text: "<script>".to_owned(),
                to: "x\"y".to_owned(),
            }]],
        );
        let text = page.finish();
        assert!(text.contains("<h1>&lt;b&gt; &amp; &quot;c&quot;</h1>"));
        assert!(text.contains("<a href=\"#x&quot;y\">&lt;script&gt;</a>"));
        assert!(text.contains(NO_FINDING));
    }

    #[test]
    fn what_nobody_would_read_is_counted() {
        let events = |count: usize| -> Vec<String> {
            (1..=count).map(|number| format!("Open {number}")).collect()
        };
        assert_eq!(listed(&events(0)), "not stated");
        assert_eq!(listed(&events(2)), "Open 1; Open 2");
        assert_eq!(listed(&events(500)), "500 different ones");
    }
}
