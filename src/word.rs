/// Makes the words of an enum what it reads and prints: its `ALL` lists the variants, `word` names each.
macro_rules! read_by_word {
    ($kind:ty, $what:literal) => {
        impl std::fmt::Display for $kind {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.word())
            }
        }

        impl std::str::FromStr for $kind {
            type Err = String;

            fn from_str(word: &str) -> Result<Self, String> {
                Self::ALL.into_iter().find(|known| known.word() == word).ok_or_else(|| {
                    let known = Self::ALL.map(Self::word).join(", ");
                    format!("no {} `{word}`; use one of: {known}", $what)
                })
            }
        }
    };
}

pub(crate) use read_by_word;
