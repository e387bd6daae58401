use clap::builder::{Resettable, StyledStr};
use clap::{ArgMatches, Args, Command, FromArgMatches};

/// The flags of a command, defined when the command is typed: every command is named at each start, and the flags of all
/// of them would be felt where one runs.
#[derive(Debug)]
pub struct Late<T>(pub Box<T>);

impl<T: Args> Args for Late<T> {
    fn augment_args(command: Command) -> Command {
        command.defer(|command| {
            // What the list of commands says of it stands; the type says something else of itself.
            let (about, long) = (command.get_about().cloned(), command.get_long_about().cloned());
            T::augment_args(command).about(as_it_was(about)).long_about(as_it_was(long))
        })
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

fn as_it_was(text: Option<StyledStr>) -> Resettable<StyledStr> {
    text.map_or(Resettable::Reset, Resettable::Value)
}

impl<T: Args> FromArgMatches for Late<T> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        Ok(Self(Box::new(T::from_arg_matches(matches)?)))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        self.0.update_from_arg_matches(matches)
    }
}
