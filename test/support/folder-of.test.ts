import { describe, expect, it, vi } from "vitest";
import { folderOf } from "./folder-of.ts";
import { loadSchemas } from "./structural-schema.ts";

describe.each(["CRD_DIR", "CAPTURES_DIR"])("the folder that %s names", (variable) => {
  it("is none where the variable is not set", () => {
    vi.stubEnv(variable, undefined);
    expect(folderOf(variable)).toBeUndefined();
  });

  it("is the one that is there", () => {
    vi.stubEnv(variable, import.meta.dirname);
    expect(folderOf(variable)).toBe(import.meta.dirname);
  });

  it.each(["", "no/such/folder", "package.json"])("is not '%s', and that fails", (folder) => {
    vi.stubEnv(variable, folder);
    expect(() => folderOf(variable)).toThrow(`${variable} names no folder: '${folder}'`);
  });
});

it("has no schemas where CRD_DIR is not set, and fails where it is wrong", () => {
  vi.stubEnv("CRD_DIR", undefined);
  expect(loadSchemas().size).toBe(0);
  vi.stubEnv("CRD_DIR", "no/such/folder");
  expect(() => loadSchemas()).toThrow("CRD_DIR names no folder");
});
