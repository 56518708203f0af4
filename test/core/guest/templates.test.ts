import { join } from "node:path";
import { expect, test } from "vitest";
import { seconds } from "../../../core/clock.ts";
import { done, type Observation } from "../../../core/guest/guest.ts";
import type { Values } from "../../../core/template/placeholders.ts";
import {
  operatorsOf,
  renderedManifests,
  storageOf,
  validationOf,
} from "../../../core/template/render.ts";
import { readTemplate, templateFolders } from "../../../templates/folder.ts";
import { testGuest, untilSettled } from "../../support/guest.ts";
import { rbdStorage } from "../../support/guest-orders.ts";

const folders = templateFolders(join(import.meta.dirname, "../../../templates"));

test.each(folders)("a hosted cluster takes what %s brings", async (folder) => {
  const { template } = readTemplate(folder);
  if (!template) throw new Error("the template is at fault");
  const { content } = template;
  const defaults = (content.parameters ?? []).map(({ name, default: value }) => [name, value]);
  const parameters: Values = Object.fromEntries(defaults);
  // The one that has no default.
  parameters.site ??= "harbour";
  const guest = testGuest();
  guest.join("worker-1");
  await guest.clock.advance(seconds(60));
  const settles = async (look: () => Promise<Observation>) =>
    expect((await untilSettled(guest, look)).at(-1)).toEqual(done);

  const storage = storageOf(content);
  if (storage) await settles(() => guest.client.ensureStorageClass(rbdStorage(storage)));
  for (const operator of operatorsOf(content, parameters)) {
    await settles(() => guest.client.ensureOperator(operator));
  }
  await settles(() => guest.client.ensureManifests(renderedManifests(content, parameters)));
  const validation = validationOf(content, parameters);
  if (validation) await settles(() => guest.client.ensureTestWorkload(validation.workload));
  await guest.stop();
});
