import { expect, it } from "vitest";
import { timeText } from "../../core/clock.ts";

it.each<[string, number | string, string]>([
  ["milliseconds", 1_777_888_999_123, "2026-05-04T10:03:19Z"],
  ["a stored timestamp", "2026-05-04T10:03:19.123Z", "2026-05-04T10:03:19Z"],
  ["a timestamp to the second", "2026-05-04T10:03:19Z", "2026-05-04T10:03:19Z"],
  ["what another system says", "yesterday", "yesterday"],
])("a message says %s to the second", (_, time, text) => {
  expect(timeText(time)).toBe(text);
});
