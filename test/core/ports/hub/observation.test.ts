import { describe, expect, it } from "vitest";
import { isNewer } from "../../../../core/ports/hub/observation.ts";
import { newsOfKind } from "../../../support/news.ts";

const before = "2026-01-01T00:00:00.000Z";

describe("news is newer", () => {
  const previous = { uid: "uid-1", resource_version: "9007199254740993", at: before };
  it.each([
    ["when nothing was known", undefined, { resourceVersion: "1" }, false, true],
    ["with a higher version", previous, { resourceVersion: "9007199254740994" }, false, true],
    ["not with a lower one", previous, { resourceVersion: "9007199254740992" }, false, false],
    ["not when shorter means lower", previous, { resourceVersion: "99" }, false, false],
    ["not when it is repeated", previous, { resourceVersion: "9007199254740993" }, false, false],
    [
      "when the object of that version is gone",
      previous,
      { resourceVersion: "9007199254740993" },
      true,
      true,
    ],
    [
      "not when it tells late that an earlier one is gone",
      previous,
      { resourceVersion: "99", uid: "uid-0" },
      true,
      false,
    ],
    [
      "when the object was made again",
      previous,
      { resourceVersion: "9007199254740999", uid: "uid-2" },
      false,
      true,
    ],
    ["when versions are no numbers", previous, { resourceVersion: "abc" }, false, true],
  ])("%s", (_, known, metadata, deleted, expected) => {
    expect(isNewer(known, newsOfKind("Agent", { metadata, deleted }))).toBe(expected);
  });
});
