//! Checks the layers of a crate in tests: no import goes upwards, and there are no import cycles.
//!
//! Sources are parsed with `syn` and not compiled. Test modules (`#[cfg(test)]`) are exempt.

use anyhow::{Context, bail};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};
use syn::{Attribute, File, Item, ItemUse, UseTree, Visibility, visit::Visit};

/// The path of a module in the crate: `["batch", "run", "watch"]`.
type Module = Vec<String>;

/// The modules of a crate and their imports.
#[derive(Debug, Default)]
pub struct Crate {
    /// The paths that each module imports.
    imports: BTreeMap<Module, BTreeSet<Vec<String>>>,
    /// The re-exported names of each module, with the original paths.
    reexports: BTreeMap<(Module, String), Vec<String>>,
}

impl Crate {
    /// Reads the crate with its `Cargo.toml` in this folder.
    pub fn read(folder: impl AsRef<Path>) -> anyhow::Result<Self> {
        let mut read = Self::default();
        read.add_module(Vec::new(), &folder.as_ref().join("src/lib.rs"))?;
        Ok(read)
    }

    /// Adds the module in a file and its child modules.
    fn add_module(&mut self, module: Module, file: &Path) -> anyhow::Result<()> {
        let source = fs::read_to_string(file).with_context(|| file.display().to_string())?;
        let syntax: File = syn::parse_file(&source).with_context(|| file.display().to_string())?;
        let mut imports = Imports { module: &module, paths: BTreeSet::new() };
        for item in &syntax.items {
            match item {
                Item::Mod(child) if is_for_tests(&child.attrs) => {}
                Item::Mod(child) if child.content.is_none() => {
                    let name = child.ident.to_string();
                    let path = child_file(file, &module, &name)?;
                    self.add_module([module.clone(), vec![name]].concat(), &path)?;
                }
                Item::Use(item) if !matches!(item.vis, Visibility::Inherited) => {
                    for (path, name) in imported_paths(item) {
                        // A macro is exported under its own name.
                        let own = [module.clone(), vec![name.clone()]].concat();
                        if let Some(path) = absolute_path(&path, &module).filter(|path| *path != own) {
                            self.reexports.insert((module.clone(), name), path);
                        }
                    }
                }
                Item::Use(item) => {
                    let paths = imported_paths(item)
                        .into_iter()
                        .filter_map(|(path, _)| absolute_path(&path, &module));
                    imports.paths.extend(paths);
                }
                item => imports.visit_item(item),
            }
        }
        let paths = imports.paths;
        self.imports.insert(module, paths);
        Ok(())
    }

    /// The number of modules.
    #[must_use]
    pub fn len(&self) -> usize {
        self.imports.len()
    }

    /// Whether there are no modules.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.imports.is_empty()
    }

    /// Resolves a path to its module, through re-exports.
    fn module_of(&self, path: &[String]) -> Module {
        let mut path = path.to_vec();
        for _ in 0..8 {
            let length = (0..=path.len()).rev().find(|length| self.imports.contains_key(&path[..*length]));
            let (module, rest) = path.split_at(length.unwrap_or_default());
            let Some((name, rest)) = rest.split_first() else { return module.to_vec() };
            match self.reexports.get(&(module.to_vec(), name.clone())) {
                Some(target) => path = [target.clone(), rest.to_vec()].concat(),
                None => return module.to_vec(),
            }
        }
        // A circular re-export, which does not compile.
        path
    }

    /// Returns all imports between two modules.
    fn module_imports(&self) -> BTreeSet<(Module, Module)> {
        let imports = self
            .imports
            .iter()
            .flat_map(|(module, paths)| paths.iter().map(move |path| (module.clone(), self.module_of(path))));
        imports.filter(|(from, to)| from != to).collect()
    }

    /// Returns upward imports among the modules below `folder`, and modules without a layer. Each
    /// row of the table is a layer; a module may import its own row and the following ones.
    #[must_use]
    pub fn upward_imports(&self, folder: &[&str], layers: &[&[&str]]) -> Vec<String> {
        let within = |module: &Module| {
            let is_within = module.len() > folder.len() && module.iter().zip(folder).all(|(a, b)| a == b);
            is_within.then(|| module[folder.len()].clone())
        };
        let row = |name: &str| layers.iter().position(|row| row.contains(&name));
        let mut errors: BTreeSet<String> = self
            .imports
            .keys()
            .filter_map(within)
            .filter(|name| row(name).is_none())
            .map(|name| format!("{name} has no layer in `{}`", folder.join("::")))
            .collect();
        for (from, to) in self.module_imports() {
            let Some((above, below)) = within(&from).zip(within(&to)) else { continue };
            if row(&above) > row(&below) {
                errors.insert(format!("{} imports {}", from.join("::"), to.join("::")));
            }
        }
        errors.into_iter().collect()
    }

    /// Returns imports between two modules below `folder`, except imports of the `shared` ones.
    #[must_use]
    pub fn imports_between(&self, folder: &[&str], shared: &[&str]) -> Vec<String> {
        let within = |module: &Module| {
            let is_within = module.len() > folder.len() && module.iter().zip(folder).all(|(a, b)| a == b);
            is_within.then(|| module[folder.len()].clone())
        };
        let imports = self.module_imports().into_iter().filter(|(from, to)| {
            let pair = within(from).zip(within(to));
            pair.is_some_and(|(from, to)| from != to && !shared.contains(&to.as_str()))
        });
        imports.map(|(from, to)| format!("{} imports {}", from.join("::"), to.join("::"))).collect()
    }

    /// Returns the files and folders that are part of an import cycle, with their parent folder.
    #[must_use]
    pub fn import_cycles(&self) -> Vec<String> {
        // For each folder, the imports between its files and folders.
        let mut folders: BTreeMap<Vec<String>, BTreeMap<String, BTreeSet<String>>> = BTreeMap::new();
        for (from, to) in self.module_imports() {
            let (from, to) = (self.tree_path(&from), self.tree_path(&to));
            let shared = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
            let folder = folders.entry(from[..shared].to_vec()).or_default();
            folder.entry(from[shared].clone()).or_default().insert(to[shared].clone());
        }
        let mut cycles = Vec::new();
        for (folder, imports) in folders {
            for start in imports.keys() {
                let mut reached = BTreeSet::new();
                let mut open = vec![start];
                while let Some(next) = open.pop() {
                    open.extend(imports.get(next).into_iter().flatten().filter(|name| reached.insert(*name)));
                }
                if reached.contains(start) {
                    cycles.push(format!("`{start}` in `{}` is part of an import cycle", folder.join("/")));
                }
            }
        }
        cycles
    }

    /// Returns the module's path in the folder tree. A module with children is `mod.rs` in its
    /// folder.
    fn tree_path(&self, module: &Module) -> Vec<String> {
        let is_folder =
            self.imports.keys().any(|other| other.len() > module.len() && other.starts_with(module));
        if is_folder { [module.clone(), vec!["mod.rs".to_owned()]].concat() } else { module.clone() }
    }
}

/// Collects the paths in an item that begin with `crate` or `super`.
struct Imports<'m> {
    module: &'m Module,
    paths: BTreeSet<Vec<String>>,
}

impl<'ast> Visit<'ast> for Imports<'_> {
    fn visit_path(&mut self, path: &'ast syn::Path) {
        let names: Vec<String> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        if names.len() > 1 && matches!(names[0].as_str(), "crate" | "super") {
            self.paths.extend(absolute_path(&names, self.module));
        }
        syn::visit::visit_path(self, path);
    }

    fn visit_visibility(&mut self, _: &'ast Visibility) {}
}

fn is_for_tests(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("cfg")
            && attribute.meta.require_list().is_ok_and(|list| list.tokens.to_string() == "test")
    })
}

/// The file of a child module: `name.rs` or `name/mod.rs`.
fn child_file(parent: &Path, module: &Module, name: &str) -> anyhow::Result<PathBuf> {
    let is_mod_file = module.is_empty() || parent.ends_with("mod.rs");
    let folder = if is_mod_file { parent.with_file_name("") } else { parent.with_extension("") };
    let files = [folder.join(format!("{name}.rs")), folder.join(name).join("mod.rs")];
    match files.into_iter().find(|file| file.is_file()) {
        Some(file) => Ok(file),
        None => bail!("module {name} has no file next to {}", parent.display()),
    }
}

/// Returns the paths that a `use` item imports, each with its new name.
fn imported_paths(item: &ItemUse) -> Vec<(Vec<String>, String)> {
    fn walk(tree: &UseTree, path: &[String], found: &mut Vec<(Vec<String>, String)>) {
        let with = |name: &syn::Ident| [path, &[name.to_string()]].concat();
        match tree {
            UseTree::Path(branch) => walk(&branch.tree, &with(&branch.ident), found),
            UseTree::Name(leaf) if leaf.ident == "self" => {
                found.push((path.to_vec(), path.last().cloned().unwrap_or_default()));
            }
            UseTree::Name(leaf) => found.push((with(&leaf.ident), leaf.ident.to_string())),
            UseTree::Rename(leaf) => found.push((with(&leaf.ident), leaf.rename.to_string())),
            UseTree::Glob(_) => found.push((path.to_vec(), "*".to_owned())),
            UseTree::Group(group) => group.items.iter().for_each(|tree| walk(tree, path, found)),
        }
    }
    let mut found = Vec::new();
    walk(&item.tree, &[], &mut found);
    found
}

/// Makes a path absolute in the crate. `None` if `super` leads out of the crate.
fn absolute_path(path: &[String], module: &Module) -> Option<Vec<String>> {
    let first = path.first()?.as_str();
    match first {
        "crate" => Some(path[1..].to_vec()),
        "self" => Some([module.as_slice(), &path[1..]].concat()),
        "super" => {
            let up = path.iter().take_while(|name| *name == "super").count();
            let parent = &module[..module.len().checked_sub(up)?];
            Some([parent, &path[up..]].concat())
        }
        // The path begins with a child of this module or with another crate. A path in another
        // crate resolves to this module.
        _ => Some([module.as_slice(), path].concat()),
    }
}
