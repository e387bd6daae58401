//! Everything that rules look at, each file read and parsed once.

mod composed;
mod file;
mod grants;
mod hook_costs;
mod hook_text;
mod known;
mod parents;
mod read;
mod risks;
#[cfg(test)]
mod tests;
mod told;

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, OnceLock};
use strum::VariantArray;

use crate::assemble::Configuration;
use crate::condition;
use crate::diagnostic::{Diagnostic, Location};
use crate::item::{Directive, Field, Hook, HookOrigin, ROUTING_EVENT};
use crate::limits;
use crate::protocol::Protocol;
use crate::store::{ItemId, ItemKind, TierKind, Tiers};
use crate::text::Source;
use crate::trust::{self, Keys, Trust};

use super::folders::Folders;
use super::options::Options;

pub use composed::{Becomes, Composed, ContextItem, End, Inherited, Member, Suppression};
pub use file::{Content, File, FileKind, OddPlace};
pub(crate) use grants::Granted;
pub use hook_costs::{HookCosts, Shown};
pub use hook_text::HookText;
pub use known::Known;
use parents::{Parents, Says};
pub(in crate::lint) use read::within_limits;
pub(crate) use risks::{Policy, Risks};
pub(in crate::lint) use told::Told;

/// A project and what it takes from the tiers below.
pub struct Project<'a> {
    /// Where items are looked for. What is read stays there, parsed.
    pub tiers: &'a Tiers,
    /// The assembly rules.
    pub protocol: &'a Protocol,
    /// What the settings say.
    pub options: &'a Options,
    /// The files: those of the project in byte order of paths, then what they name in other tiers.
    pub files: Vec<File>,
    /// Which files of instructions apply where; none of a project of directives.
    pub folders: Option<Folders>,
    /// The configuration of all tiers, merged; none where it cannot be read.
    pub(crate) configuration: Option<Arc<Configuration>>,
    /// What was found where the configuration was read and merged.
    pub diagnostics: Vec<Diagnostic>,
    ids: Ids,
    /// The files below the folders of directives and knowledge that are Markdown by a name that nothing reads.
    pub odd_markdown: Vec<String>,
    /// Files that the project excludes, and that are checked for nothing but what it must not lower.
    pub passed_over: HashSet<String>,
    /// What directives and hooks name and no tier lets be read.
    pub refused: Vec<(ItemKind, String, Diagnostic)>,
    parents: OnceLock<Parents>,
    is_chained_too_long: OnceLock<bool>,
    costly_patterns: OnceLock<HashSet<Place>>,
    is_routed: OnceLock<bool>,
    keys: OnceLock<Keys>,
    costs: hook_costs::Costs,
    grants: grants::Grants,
    risks: OnceLock<Option<Risks>>,
    /// The directives that extend an id, by that id.
    children: OnceLock<HashMap<String, Vec<usize>>>,
    /// What is known of places that bring in most of a prompt.
    pub(in crate::lint) dominates: Told,
    /// What ids that lead nowhere are most like, once somebody asked, of as many as are looked up. Folders are listed for
    /// it, and several rules ask.
    nearest: HashMap<(ItemKind, String), OnceLock<Option<String>>>,
}

/// The copy of each item that counts, by id, as an index into the files of a project.
#[derive(Debug, Default)]
struct Ids([HashMap<String, usize>; ItemKind::VARIANTS.len()]);

impl Ids {
    fn of(&mut self, kind: ItemKind) -> &mut HashMap<String, usize> {
        // The kinds are numbered from zero, in the order of `ALL`.
        &mut self.0[kind as usize]
    }

    fn find(&self, kind: ItemKind, id: &str) -> Option<usize> {
        self.0[kind as usize].get(id).copied()
    }
}

/// A tier and a path: files of one path stand in several tiers.
type Place = (String, String);

fn place(source: &Source) -> Place {
    (source.tier().to_string(), source.path().to_string())
}

impl Project<'_> {
    /// The copy of an item that counts, if a tier has it. Known are all items of the project, and those of other tiers
    /// that directives and hooks name.
    pub fn find(&self, kind: ItemKind, id: &str) -> Option<&File> {
        self.ids.find(kind, id).map(|index| &self.files[index])
    }

    /// The directives of the project that can be used and count, in byte order of paths.
    pub fn directives(&self) -> impl Iterator<Item = (&File, &Directive)> {
        self.files.iter().filter(|file| self.is_of_project(file)).filter_map(|file| Some((file, file.directive()?)))
    }

    /// The directives that extend one of that id, among the files that were read.
    pub fn children(&self, id: &str) -> impl Iterator<Item = (&File, &Directive)> {
        let children = self.children.get_or_init(|| {
            let mut children: HashMap<String, Vec<usize>> = HashMap::new();
            for (index, file) in self.files.iter().enumerate() {
                if let Some(parent) = file.directive().and_then(|directive| directive.extends.as_ref()) {
                    children.entry(parent.as_str().to_string()).or_default().push(index);
                }
            }
            children
        });
        let files = children.get(id).into_iter().flatten().map(|&index| &self.files[index]);
        files.filter_map(|file| Some((file, file.directive()?)))
    }

    /// The file of the directive that an `extends` or a routing hook names, as an index; none if no tier has it.
    fn parent_of(&self, parent: &Field) -> Option<usize> {
        let index = self.ids.find(ItemKind::Directive, parent.as_str())?;
        ItemId::check(parent.as_str()).is_ok().then_some(index)
    }

    /// The directives that extend another one, and what their chains come to.
    fn parents(&self) -> &Parents {
        self.parents.get_or_init(|| {
            let parent = |file: &File| self.parent_of(file.directive()?.parent()?);
            let says = |index: usize| {
                self.files[index].directive().map_or_else(Says::default, |directive| Says {
                    context: !directive.context.is_empty(),
                    permissions: !directive.permissions.is_empty(),
                })
            };
            Parents::new(self.files.iter().map(parent).collect(), says)
        })
    }

    /// Whether the chains are so long that what they come to is not looked at.
    pub fn is_chained_too_long(&self) -> bool {
        let most = limits::LINT_CHAINED.max(limits::CHAINED_EACH * self.files.len());
        *self.is_chained_too_long.get_or_init(|| self.parents().members() > most)
    }

    /// Whether the patterns of the file that a hook stands in take so long that they are not looked at.
    pub fn has_costly_patterns(&self, hook: &Hook) -> bool {
        let costly = self.costly_patterns();
        !costly.is_empty() && hook.span.as_ref().is_some_and(|span| costly.contains(&place(span.source())))
    }

    /// Whether that file is this one.
    pub fn is_costly(&self, file: &File) -> bool {
        let costly = self.costly_patterns();
        !costly.is_empty() && file.source.as_ref().is_some_and(|source| costly.contains(&place(source)))
    }

    /// The files in which the patterns of all hooks take longer than those of one event may.
    fn costly_patterns(&self) -> &HashSet<Place> {
        self.costly_patterns.get_or_init(|| {
            let mut costs: HashMap<Place, usize> = HashMap::new();
            for (hook, span) in self.hooks().filter_map(|hook| Some((hook, hook.span.as_ref()?))) {
                let cost = costs.entry(place(span.source())).or_default();
                *cost = cost.saturating_add(condition::cost_of_patterns(&hook.condition));
            }
            costs.retain(|_, cost| *cost > limits::CONDITION_WORK);
            costs.into_keys().collect()
        })
    }

    /// Whether a hook of the configuration may set a parent.
    fn is_routed(&self) -> bool {
        *self.is_routed.get_or_init(|| self.configured_hooks().any(|hook| hook.event == ROUTING_EVENT))
    }

    /// The id in the tiers that is most like one that is in none of them, if any is alike. Where thousands lead nowhere, a
    /// tier is missing rather than a letter, and only the first are looked up.
    pub fn nearest(&self, kind: ItemKind, id: &ItemId) -> Option<String> {
        let nearest = self.nearest.get(&(kind, id.to_string()))?;
        nearest.get_or_init(|| self.tiers.nearest_id(kind, id)).clone()
    }

    /// The files in which findings are reported.
    pub fn linted(&self) -> impl Iterator<Item = &File> {
        self.files.iter().filter(|file| file.is_linted)
    }

    /// Whether a file belongs to the project tier.
    pub fn is_of_project(&self, file: &File) -> bool {
        self.tiers.list()[file.tier].kind == TierKind::Project
    }

    /// Whether the project is a bundle for others, whose items are used elsewhere.
    pub fn is_bundle(&self) -> bool {
        let mut tiers = self.tiers.list().iter();
        tiers.any(|tier| tier.kind == TierKind::Project && tier.store.exists(".ai/bundles"))
    }

    /// The hooks of the configuration: user, built-in, context, infra, project.
    pub fn configured_hooks(&self) -> impl Iterator<Item = &Hook> {
        const ORIGINS: [HookOrigin; 5] =
            [HookOrigin::User, HookOrigin::Builtin, HookOrigin::Context, HookOrigin::Infra, HookOrigin::Project];
        self.configuration.iter().flat_map(|of| ORIGINS.into_iter().flat_map(|origin| of.hooks(origin)))
    }

    /// Every hook: those of the configuration, then those of all directives.
    pub fn hooks(&self) -> impl Iterator<Item = &Hook> {
        let of_directives = self.files.iter().filter_map(File::directive).flat_map(|directive| &directive.hooks);
        self.configured_hooks().chain(of_directives)
    }

    /// The file as a place.
    pub fn location(&self, file: &File) -> Location {
        file.location(&self.tiers.list()[file.tier].label)
    }

    /// What the prompt of a directive is made of.
    pub fn composed<'p>(&'p self, file: &'p File, directive: &'p Directive) -> Composed<'p> {
        composed::compose(self, file, directive)
    }

    /// What is known of where a file comes from; none if it could not be read. It is found out once.
    pub fn trust(&self, file: &File) -> Option<Trust> {
        self.trusted(file).cloned()
    }

    /// The same, to be looked at alone.
    pub fn trusted<'f>(&self, file: &'f File) -> Option<&'f Trust> {
        let source = file.source.as_ref()?;
        Some(file.trust.get_or_init(|| trust::verify(source, file.kind.item(), self.keys())))
    }

    /// Whether a tier trusts the key of a fingerprint.
    pub fn trusts(&self, key: &str) -> bool {
        self.keys().trusts(key)
    }

    fn keys(&self) -> &Keys {
        self.keys.get_or_init(|| Keys::read(self.tiers))
    }

    /// What a capability brings into a palette on its own; none where there is no palette.
    pub(crate) fn granted(&self, capability: &str) -> Option<Arc<Granted>> {
        Some(self.grants.of(capability, self, self.protocol.tools?))
    }

    /// How risky capabilities are; none where no tier says so.
    pub(crate) fn risks(&self) -> Option<&Risks> {
        self.risks.get_or_init(|| Risks::read(self.tiers, self.protocol)).as_ref()
    }

    /// Whether any tier has an item of that id, one that nothing names included.
    pub fn exists(&self, kind: ItemKind, id: &str) -> bool {
        let is_there = |id: ItemId| {
            let mut stores = self.tiers.list().iter().map(|tier| &tier.store);
            stores.any(|store| kind.paths(&id).any(|path| store.exists(&path)))
        };
        self.find(kind, id).is_some() || ItemId::parse(id).is_ok_and(is_there)
    }
}
