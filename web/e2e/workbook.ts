// Reads the cells of an XLSX workbook, as far as the tests need them. A workbook is a zip of XML
// files (ECMA-376). They are found through the zip's central directory (APPNOTE, 4.3).

import { inflateRawSync } from "node:zlib";

/** Maps the names of the files in a zip to their texts. */
function unzip(zip: Buffer): Map<string, string> {
  const parts = new Map<string, string>();
  const end = zip.lastIndexOf(Buffer.from("PK\u0005\u0006"));
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left -= 1) {
    const [method, size] = [zip.readUInt16LE(at + 10), zip.readUInt32LE(at + 20)];
    const [nameLength, extra, comment] = [28, 30, 32].map((offset) => zip.readUInt16LE(at + offset)) as [
      number,
      number,
      number,
    ];
    const name = zip.subarray(at + 46, at + 46 + nameLength).toString();
    const local = zip.readUInt32LE(at + 42);
    const begin = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
    const bytes = zip.subarray(begin, begin + size);
    parts.set(name, (method === 8 ? inflateRawSync(bytes) : bytes).toString());
    at += 46 + nameLength + extra + comment;
  }
  return parts;
}

function xmlText(xml: string): string {
  const entities: Record<string, string> = { lt: "<", gt: ">", quot: '"', apos: "'", amp: "&" };
  return xml.replace(/<[^>]+>/g, "").replace(/&(\w+);/g, (_, name: string) => entities[name] ?? "");
}

export interface Sheet {
  name: string;
  /** The cells of each row. Numbers are texts, as the workbook stores them. */
  rows: string[][];
  isFiltered: boolean;
  isFrozen: boolean;
}

export function readSheets(workbook: Buffer): Sheet[] {
  const parts = unzip(workbook);
  const part = (name: string) => parts.get(name) ?? "";
  const shared = [...part("xl/sharedStrings.xml").matchAll(/<si>(.*?)<\/si>/gs)].map(([, text]) =>
    xmlText(text ?? ""),
  );
  const names = [...part("xl/workbook.xml").matchAll(/<sheet name="([^"]*)"/g)].map(([, name]) =>
    xmlText(name ?? ""),
  );
  return names.map((name, nth) => {
    const xml = part(`xl/worksheets/sheet${nth + 1}.xml`);
    const rows = [...xml.matchAll(/<row [^>]*>(.*?)<\/row>/gs)].map(([, row]) =>
      [...(row ?? "").matchAll(/<c ([^>]*?)(?:\/>|>(.*?)<\/c>)/gs)].map(([, attributes, value]) =>
        attributes?.includes('t="s"') ? (shared[Number(xmlText(value ?? ""))] ?? "") : xmlText(value ?? ""),
      ),
    );
    return { name, rows, isFiltered: xml.includes("<autoFilter"), isFrozen: xml.includes('state="frozen"') };
  });
}
