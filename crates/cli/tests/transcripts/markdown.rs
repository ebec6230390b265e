//! Fenced blocks of a page.

/// A fenced block.
pub(crate) struct Block<'a> {
    /// The word after the fence.
    pub(crate) kind: &'a str,
    /// The number of its first line.
    pub(crate) line: usize,
    pub(crate) text: String,
}

/// A command and the lines below it.
pub(crate) struct Step {
    pub(crate) line: usize,
    pub(crate) command: String,
    pub(crate) output: String,
}

/// The blocks of a page.
pub(crate) fn blocks(page: &str) -> Vec<Block<'_>> {
    let mut blocks = Vec::new();
    let mut open: Option<Block<'_>> = None;
    for (number, line) in page.lines().enumerate() {
        match (line.strip_prefix("```"), &mut open) {
            (Some(kind), None) => {
                open = Some(Block {
                    kind: kind.trim(),
                    line: number + 2,
                    text: String::new(),
                });
            }
            (Some(_), Some(_)) => blocks.extend(open.take()),
            (None, Some(block)) => {
                block.text.push_str(line);
                block.text.push('\n');
            }
            (None, None) => {}
        }
    }
    assert!(open.is_none(), "a block does not end");
    blocks
}

/// The commands of all sessions of a page, in order.
pub(crate) fn sessions(page: &str) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    for block in blocks(page).iter().filter(|block| block.kind == "console") {
        let mut begun = false;
        for (number, line) in block.text.lines().enumerate() {
            if let Some(command) = line.strip_prefix("$ ") {
                begun = true;
                steps.push(Step {
                    line: block.line + number,
                    command: command.to_owned(),
                    output: String::new(),
                });
            } else {
                assert!(
                    begun,
                    "line {}: output without a command",
                    block.line + number
                );
                let step = steps.last_mut().expect("a session has begun");
                step.output.push_str(line);
                step.output.push('\n');
            }
        }
    }
    steps
}
