//! The example programs do what they say.

#[allow(dead_code)]
#[path = "../examples/probe.rs"]
mod probe;

#[test]
fn probe() {
    let directory = tempfile::tempdir().unwrap();
    let mut out = Vec::new();
    probe::judge("8/8/8/8/4k3/8/8/KQ6 b - - 0 1", directory.path(), &mut out).unwrap();
    let text = String::from_utf8(out).unwrap();
    assert!(text.starts_with("Loss\n"), "{text}");
}
