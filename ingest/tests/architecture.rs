//! The layers of the library and its folders. No import runs up, and no folders or files import each
//! other in a circle.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};
use syn::{Attribute, File, Item, ItemUse, UseTree, Visibility, visit::Visit};

/// The layers from the bottom up. A module imports only modules of its own row and of the rows
/// before it.
const LAYERS: [&[&str]; 9] = [
    &["base", "command", "message"],
    &["page", "publish"],
    &["layout"],
    &["ocr"],
    &["document", "extract"],
    &["markdown"],
    &["llm"],
    &["batch"],
    &["eval"],
];

/// The layers within `extract`.
const EXTRACT: [&[&str]; 5] = [
    &["alternatives", "confidence", "gazetteer", "language", "printed", "states"],
    &["rules"],
    &["classifier"],
    &["grounding", "page_header", "tender_builder"],
    &["pipeline"],
];

/// The layers within `batch`.
const BATCH: [&[&str]; 6] = [
    &["error", "fields", "file_names", "progress", "publication_rule"],
    &["input"],
    &["output"],
    &["review"],
    &["upload"],
    &["run"],
];

/// The path of a module below the crate: `["batch", "run", "watch"]`.
type Module = Vec<String>;

/// The modules of the library and their imports of each other.
#[derive(Default)]
struct Library {
    /// Each module with the paths that it imports.
    imports: BTreeMap<Module, BTreeSet<Vec<String>>>,
    /// What a module re-exports: its name there, and the path it stands for.
    reexports: BTreeMap<(Module, String), Vec<String>>,
}

impl Library {
    fn read() -> Self {
        let mut library = Self::default();
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/lib.rs");
        library.add(Vec::new(), &root);
        library
    }

    /// Adds the module in a file, and the modules that it declares.
    fn add(&mut self, module: Module, file: &Path) {
        let source = fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        let syntax: File = syn::parse_file(&source).unwrap();
        let mut imports = Imports { module: &module, paths: BTreeSet::new() };
        for item in &syntax.items {
            match item {
                Item::Mod(child) if is_for_tests(&child.attrs) => {}
                Item::Mod(child) if child.content.is_none() => {
                    let name = child.ident.to_string();
                    let path = child_file(file, &module, &name);
                    self.add([module.clone(), vec![name]].concat(), &path);
                }
                Item::Use(item) if !matches!(item.vis, Visibility::Inherited) => {
                    for (path, name) in imported(item) {
                        // A macro is exported under its own name.
                        let own = [module.clone(), vec![name.clone()]].concat();
                        if let Some(path) = absolute(&path, &module).filter(|path| *path != own) {
                            self.reexports.insert((module.clone(), name), path);
                        }
                    }
                }
                Item::Use(item) => {
                    let paths = imported(item).into_iter().filter_map(|(path, _)| absolute(&path, &module));
                    imports.paths.extend(paths);
                }
                item => imports.visit_item(item),
            }
        }
        let paths = imports.paths;
        self.imports.insert(module, paths);
    }

    /// The module that a path leads to, through re-exports.
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
        panic!("{path:?} is re-exported in a circle")
    }

    /// Every import of one module by another.
    fn arrows(&self) -> BTreeSet<(Module, Module)> {
        let arrows = self
            .imports
            .iter()
            .flat_map(|(module, paths)| paths.iter().map(move |path| (module.clone(), self.module_of(path))));
        arrows.filter(|(from, to)| from != to).collect()
    }

    /// A module as a place in the tree of folders. The file of a module with children is `mod.rs` in
    /// its folder.
    fn place(&self, module: &Module) -> Vec<String> {
        let is_folder =
            self.imports.keys().any(|other| other.len() > module.len() && other.starts_with(module));
        if is_folder { [module.clone(), vec!["mod.rs".to_owned()]].concat() } else { module.clone() }
    }
}

/// Collects the paths that begin with `crate` or `super` in an item.
struct Imports<'m> {
    module: &'m Module,
    paths: BTreeSet<Vec<String>>,
}

impl<'ast> Visit<'ast> for Imports<'_> {
    fn visit_path(&mut self, path: &'ast syn::Path) {
        let names: Vec<String> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        if names.len() > 1 && matches!(names[0].as_str(), "crate" | "super") {
            self.paths.extend(absolute(&names, self.module));
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
fn child_file(parent: &Path, module: &Module, name: &str) -> PathBuf {
    let folder = parent.parent().unwrap();
    let is_mod_file = module.is_empty() || parent.ends_with("mod.rs");
    let folder = if is_mod_file { folder.to_owned() } else { folder.join(module.last().unwrap()) };
    let files = [folder.join(format!("{name}.rs")), folder.join(name).join("mod.rs")];
    files.into_iter().find(|file| file.is_file()).unwrap_or_else(|| panic!("no file of module {name}"))
}

/// The paths that a `use` item imports, each with the name it has afterwards.
fn imported(item: &ItemUse) -> Vec<(Vec<String>, String)> {
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

/// A path below the crate; `None` where it leads to another crate.
fn absolute(path: &[String], module: &Module) -> Option<Vec<String>> {
    let first = path.first()?.as_str();
    match first {
        "crate" => Some(path[1..].to_vec()),
        "self" => Some([module.as_slice(), &path[1..]].concat()),
        "super" => {
            let up = path.iter().take_while(|name| *name == "super").count();
            let parent = &module[..module.len().checked_sub(up)?];
            Some([parent, &path[up..]].concat())
        }
        // A child of this module, in a facade.
        _ => Some([module.as_slice(), path].concat()),
    }
}

/// The imports that run up in a table of layers of the modules below `folder`.
fn running_up(library: &Library, folder: &[&str], layers: &[&[&str]]) -> Vec<String> {
    let within = |module: &Module| {
        let is_within = module.len() > folder.len() && module.iter().zip(folder).all(|(a, b)| a == b);
        is_within.then(|| module[folder.len()].clone())
    };
    let row = |name: &str| {
        let row = layers.iter().position(|row| row.contains(&name));
        row.unwrap_or_else(|| panic!("`{name}` stands in no layer of `{}`", folder.join("::")))
    };
    let arrows = library.arrows();
    let up = arrows
        .iter()
        .filter(|(from, to)| within(from).zip(within(to)).is_some_and(|(from, to)| row(&from) < row(&to)));
    up.map(|(from, to)| format!("{} imports {}", from.join("::"), to.join("::"))).collect()
}

#[test]
fn no_import_runs_up() {
    let library = Library::read();
    assert!(library.imports.len() > 100, "modules read: {}", library.imports.len());
    assert_eq!(running_up(&library, &[], &LAYERS), Vec::<String>::new());
    assert_eq!(running_up(&library, &["extract"], &EXTRACT), Vec::<String>::new());
    assert_eq!(running_up(&library, &["batch"], &BATCH), Vec::<String>::new());
}

#[test]
fn no_folders_or_files_import_each_other_in_a_circle() {
    let library = Library::read();
    // Below each folder, its files and folders with what they import of each other.
    let mut folders: BTreeMap<Vec<String>, BTreeMap<String, BTreeSet<String>>> = BTreeMap::new();
    for (from, to) in library.arrows() {
        let (from, to) = (library.place(&from), library.place(&to));
        let shared = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
        let folder = folders.entry(from[..shared].to_vec()).or_default();
        folder.entry(from[shared].clone()).or_default().insert(to[shared].clone());
    }
    for (folder, arrows) in folders {
        for start in arrows.keys() {
            let mut reached = BTreeSet::new();
            let mut open = vec![start];
            while let Some(next) = open.pop() {
                open.extend(arrows.get(next).into_iter().flatten().filter(|name| reached.insert(*name)));
            }
            assert!(!reached.contains(start), "`{start}` in `{}` is in a circle", folder.join("/"));
        }
    }
}
