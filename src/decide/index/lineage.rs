/// The chains of all directives, found from the parent of each in one walk without recursion.
#[derive(Debug, Clone)]
pub struct Lineage {
    /// Each directive after its parent. In a cycle, any member may come first.
    pub root_first: Vec<usize>,
    /// The number of distinct directives in the chain of each, including itself.
    pub lengths: Vec<usize>,
    /// Whether the chain of each runs into a cycle.
    pub circular: Vec<bool>,
    pub cycles: Vec<usize>,
}

impl Lineage {
    pub fn new(parents: &[Option<usize>]) -> Self {
        let count = parents.len();
        let (mut root_first, mut cycles) = (Vec::with_capacity(count), Vec::new());
        let (mut lengths, mut circular) = (vec![0; count], vec![false; count]);
        let mut walked = Vec::new();
        // The position in the walk, for directives that were reached.
        let mut reached: Vec<Option<usize>> = vec![None; count];
        for start in 0..count {
            let mut next = Some(start);
            while let Some(at) = next.filter(|&at| reached[at].is_none()) {
                reached[at] = Some(walked.len());
                walked.push(at);
                next = parents[at];
            }
            // Reaching a directive of this walk, which has no length yet, closes a cycle, whose members come last.
            if let Some(from) = next.filter(|&at| lengths[at] == 0).and_then(|at| reached[at]) {
                let members = &walked[from..];
                cycles.extend(members.iter().min().copied());
                for &member in members {
                    (lengths[member], circular[member]) = (members.len(), true);
                }
            }
            while let Some(at) = walked.pop() {
                if lengths[at] == 0 {
                    lengths[at] = 1 + parents[at].map_or(0, |parent| lengths[parent]);
                    circular[at] = parents[at].is_some_and(|parent| circular[parent]);
                }
                root_first.push(at);
            }
        }
        cycles.sort_unstable();
        Self { root_first, lengths, circular, cycles }
    }
}
