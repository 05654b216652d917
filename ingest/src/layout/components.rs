//! Connected components of a mask.

use super::mask::{Area, Mask};

/// The connected components of a mask.
pub(super) struct Components {
    /// The label of the component of each pixel, in row order. It is 0 if the pixel is in no
    /// component.
    pub(super) labels: Vec<u32>,
    /// The components. The component with label `n` is at index `n - 1`.
    pub(super) parts: Vec<Component>,
}

/// One connected component.
#[derive(Debug, Clone, Copy)]
pub(super) struct Component {
    pub(super) label: u32,
    pub(super) area: Area,
    /// The number of pixels.
    pub(super) pixels: usize,
}

/// Finds the 4-connected components of the pixels that equal `value`.
pub(super) fn components(mask: &Mask, value: bool) -> Components {
    let (width, height) = (mask.width, mask.height);
    let mut labels = vec![0_u32; width * height];
    let mut parents = vec![0_u32];
    for y in 0..height {
        for x in 0..width {
            let at = y * width + x;
            if mask.bits[at] != value {
                continue;
            }
            let left = if x > 0 { labels[at - 1] } else { 0 };
            let above = if y > 0 { labels[at - width] } else { 0 };
            labels[at] = match (left, above) {
                (0, 0) => {
                    parents.push(parents.len() as u32);
                    parents.len() as u32 - 1
                }
                (0, label) | (label, 0) => label,
                (left, above) if left == above => left,
                (left, above) => {
                    let (left, above) = (root(&mut parents, left), root(&mut parents, above));
                    parents[left.max(above) as usize] = left.min(above);
                    left.min(above)
                }
            };
        }
    }
    let mut parts: Vec<Component> = Vec::new();
    let mut names = vec![0_u32; parents.len()];
    for y in 0..height {
        for x in 0..width {
            let at = y * width + x;
            if labels[at] == 0 {
                continue;
            }
            let root = root(&mut parents, labels[at]) as usize;
            if names[root] == 0 {
                let label = parts.len() as u32 + 1;
                parts.push(Component {
                    label,
                    area: Area { left: x, top: y, right: x, bottom: y },
                    pixels: 0,
                });
                names[root] = label;
            }
            labels[at] = names[root];
            let part = &mut parts[names[root] as usize - 1];
            part.area = part.area.around(Area { left: x, top: y, right: x + 1, bottom: y + 1 });
            part.pixels += 1;
        }
    }
    Components { labels, parts }
}

/// The smallest label that is equivalent to `label`.
fn root(parents: &mut [u32], mut label: u32) -> u32 {
    while parents[label as usize] != label {
        let above = parents[parents[label as usize] as usize];
        parents[label as usize] = above;
        label = above;
    }
    label
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bent_shape_is_one_component() {
        let picture = ["#.#.#", "#.#..", "###.#"];
        let bits = picture.iter().flat_map(|row| row.bytes().map(|byte| byte == b'#')).collect();
        let found = components(&Mask { width: 5, height: 3, bits }, true);
        let boxes: Vec<_> =
            found.parts.iter().map(|part| (part.area.width(), part.area.height(), part.pixels)).collect();
        assert_eq!(boxes, [(3, 3, 7), (1, 1, 1), (1, 1, 1)]);
        assert_eq!(found.labels[0], found.labels[2]);
    }
}
