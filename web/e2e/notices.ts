// Publishes notices as `ingest` does.

import { readFileSync } from "node:fs";
import path from "node:path";
import { expect } from "@playwright/test";
import { address } from "./portal.ts";

const clip = path.resolve(import.meta.dirname, "../../fixtures/notices/daily-lanka/2026-11-20/p1-01.jpg");

/** Publishes a notice under a key, with a clip, and returns the id of its tender. */
export async function putNotice(token: string, key: string, notice: string): Promise<string> {
  const form = new FormData();
  form.append("notice", new Blob([notice], { type: "text/markdown" }), "notice.md");
  form.append("clip", new Blob([readFileSync(clip)], { type: "image/jpeg" }), "clip.jpg");
  const response = await fetch(`${address}/api/ingest/notices/${key}`, {
    method: "PUT",
    headers: { authorization: `Bearer ${token}` },
    body: form,
  });
  expect(response.ok, await response.clone().text()).toBe(true);
  return (await response.json()).data._id;
}
