import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { displayTitle } from "./displayTitle.ts";

describe("displayTitle", () => {
  it.each([
    [
      "CONSTRUCTION OF FOUR STOREYED HOSTEL BUILDING FOR FEMALE STUDENTS AT FACULTY OF TECHNOLOGY, KAMBURUPITIYA",
      "Construction of Four Storeyed Hostel Building for Female Students at Faculty of Technology, Kamburupitiya",
    ],
    [
      "SUPPLY, INSTALLATION AND COMMISSIONING OF FOUR (04) HAND BAGGAGE X-RAY SCREENING MACHINES",
      "Supply, Installation and Commissioning of Four (04) Hand Baggage X-Ray Screening Machines",
    ],
    [
      "REHABILITATION OF D110 CANAL ROAD FROM 3.000 KM TO 12.450 KM (PHASE II) - HALI-ELA",
      "Rehabilitation of D110 Canal Road from 3.000 km to 12.450 km (Phase II) - Hali-Ela",
    ],
    [
      "BID NO. PRDA/WP/S/2026/118 - SUPPLY OF EMULSION CRS-1 IN BULK TO RDA AND NWSDB",
      "Bid No. PRDA/WP/S/2026/118 - Supply of Emulsion CRS-1 in Bulk to RDA and NWSDB",
    ],
    [
      "SUPPLY OF 33KV INSULATORS AND 11 KV SWITCHGEAR TO CEB, LECO AND SLPA",
      "Supply of 33KV Insulators and 11 kV Switchgear to CEB, LECO and SLPA",
    ],
    [
      "REPAIRS TO THE NURSES' QUARTERS, CHILDREN'S WARD AND O.P.D. OF THE HOSPITAL",
      "Repairs to the Nurses' Quarters, Children's Ward and O.P.D. of the Hospital",
    ],
    ["GRANT OF THE CHILDREN'S FUND (UNICEF) TO SCHOOLS", "Grant of the Children's Fund (UNICEF) to Schools"],
    [
      "RE-ROOFING OF THE CO-OPERATIVE SHOP AND SUPPLY OF PRE-STRESSED BEAMS",
      "Re-Roofing of the Co-Operative Shop and Supply of Pre-Stressed Beams",
    ],
    ["MAHAWELI AUTHORITY OF SRI LANKA", "Mahaweli Authority of Sri Lanka"],
    ["CEYLON PETROLEUM STORAGE TERMINALS (PVT) LTD", "Ceylon Petroleum Storage Terminals (Pvt) Ltd"],
    ["LAND REFORM COMMISSION", "Land Reform Commission"],
    ["PEOPLE'S BANK", "People's Bank"],
    ["SUPPLY OF TYRES", "Supply of Tyres"],
    ["SUPPLY OF 225 m3 TANKS TO Kandy AND MATALE", "Supply of 225 m3 Tanks to Kandy and Matale"],
  ])("shows %s as %s", (printed, shown) => {
    expect(displayTitle(printed)).toBe(shown);
  });

  it.each([
    ["abbreviations", "SLPA COLOMBO"],
    ["one plain word", "CIDA ICTAD CCTV"],
    ["capitals that are not most letters", "Supply of ABC CONDUCTOR and accessories for the Area Office"],
    ["Sinhala", "ග්‍රාමීය මාර්ග CONCRETE ROADS OF THE PRADESHIYA SABHA"],
    ["Tamil", "கிராமிய வீதிகளை CONCRETE ROADS OF THE PRADESHIYA SABHA"],
    ["nothing", ""],
  ])("leaves %s as printed", (_, printed) => {
    expect(displayTitle(printed)).toBe(printed);
  });
});

/** The titles of the notices that were read from the newspaper pages of the fixtures. */
function fixtureTitles(): string[] {
  const folder = path.resolve("../fixtures/notices");
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) =>
    /\.md$/.test(file),
  );
  return files.flatMap((file) => {
    const title = /^title: (.*)$/m.exec(readFileSync(path.join(folder, file), "utf8"))?.[1];
    return title ? [title] : [];
  });
}

describe("the titles of the fixtures", () => {
  const titles = fixtureTitles();

  it("are found", () => {
    expect(titles.length).toBeGreaterThan(40);
  });

  it("stay as printed, because none is printed in capitals", () => {
    expect(titles.filter((title) => displayTitle(title) !== title)).toEqual([]);
  });

  it("keep their length and letters when they are printed in capitals", () => {
    for (const title of titles) {
      const capitals = title.toUpperCase();
      const shown = displayTitle(capitals);
      expect(shown.toUpperCase()).toBe(capitals);
      expect(shown).toHaveLength(capitals.length);
    }
  });

  it("get back the form in which they are printed", () => {
    const different = titles
      .map((title) => [title, displayTitle(title.toUpperCase())] as const)
      .filter(([title, shown]) => title.split(" ").length >= 4 && shown !== title && /[a-z]/.test(title));
    expect(different).toEqual([]);
  });
});
