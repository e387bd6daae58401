use std::borrow::Cow;
use std::collections::HashMap;
use std::rc::Rc;

const XML: &str = "http://www.w3.org/XML/1998/namespace";
const XMLNS: &str = "http://www.w3.org/2000/xmlns/";

#[derive(Default)]
pub(super) struct Namespaces<'a> {
    /// The bindings of each prefix, innermost last; the default namespace has the empty prefix.
    bound: HashMap<&'a str, Vec<Rc<str>>>,
}

/// The prefix that an attribute declares: empty for the default namespace.
pub(super) fn declared_prefix(attribute: &str) -> Option<&str> {
    if attribute == "xmlns" { Some("") } else { attribute.strip_prefix("xmlns:") }
}

impl<'a> Namespaces<'a> {
    pub fn bind(&mut self, prefix: &'a str, namespace: &str) -> Result<(), String> {
        let reserved = match prefix {
            "xmlns" => true,
            "xml" => namespace != XML,
            _ => matches!(namespace, XML | XMLNS),
        };
        if reserved {
            return Err("the prefixes xml and xmlns and their namespaces are reserved".to_string());
        }
        if namespace.is_empty() && !prefix.is_empty() {
            return Err(format!("the prefix `{prefix}` is bound to an empty namespace"));
        }
        if namespace.contains('}') {
            return Err("`}` in the name of a namespace".to_string());
        }
        self.bound.entry(prefix).or_default().push(namespace.into());
        Ok(())
    }

    pub fn release(&mut self, prefix: &str) {
        if let Some(bindings) = self.bound.get_mut(prefix) {
            bindings.pop();
        }
    }

    pub fn element<'n>(&self, name: &'n str) -> Result<Cow<'n, str>, String> {
        match name.contains(':') {
            true => self.attribute(name),
            false => Ok(self.qualify("", name).map_or(Cow::Borrowed(name), Cow::Owned)),
        }
    }

    /// An attribute has a namespace only if it has a prefix.
    pub fn attribute<'n>(&self, name: &'n str) -> Result<Cow<'n, str>, String> {
        match name.split_once(':') {
            None => Ok(Cow::Borrowed(name)),
            Some(("xml", local)) => Ok(Cow::Owned(format!("{{{XML}}}{local}"))),
            Some((prefix, local)) => match self.qualify(prefix, local) {
                Some(name) => Ok(Cow::Owned(name)),
                None => Err(format!("the prefix `{prefix}` is not declared")),
            },
        }
    }

    fn qualify(&self, prefix: &str, local: &str) -> Option<String> {
        let namespace = self.bound.get(prefix)?.last().filter(|namespace| !namespace.is_empty())?;
        Some(format!("{{{namespace}}}{local}"))
    }
}
