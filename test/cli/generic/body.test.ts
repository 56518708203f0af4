import { expect, it } from "vitest";
import { operationNamed } from "../../../cli/api/operations.ts";
import { bodyFrom } from "../../../cli/generic/body.ts";
import { recording } from "../../support/terminal.ts";

/** What `--set` takes. */

const secrets = operationNamed("private.host.create").secrets ?? [];
const files = { file: "from a file", "-": "from standard input" };

function bodyOf(...set: string[]) {
  const { around } = recording({ fetch, now: Date.now, pause: async () => {} }, { files });
  return bodyFrom({ set }, { flags: [], secrets, given: {} }, around);
}

it("secrets are taken from a file or standard input", async () => {
  expect(secrets).toEqual(["spec.bmc.password"]);
  expect(await bodyOf("spec.bmc.password=@file")).toEqual({
    spec: { bmc: { password: "from a file" } },
  });
  expect(await bodyOf("spec.bmc.password=@-")).toEqual({
    spec: { bmc: { password: "from standard input" } },
  });
});

it.each([
  "spec.bmc.password=calvin",
  "spec.bmc={username: root, password: calvin}",
  "spec={bmc: {password: calvin}}",
  "spec.bmc.password.more=calvin",
])("--set %s is refused, since other users of this computer may see options", async (setting) => {
  const refusal = expect(bodyOf(setting)).rejects;
  await refusal.toThrow(/^--set spec[a-z.]*: other users of this computer may see options$/);
});

it.each(["spec.bmc.password=", "spec.bmc.password=null", "spec.bmc.password='***'"])(
  "--set %s is none",
  async (setting) => {
    await expect(bodyOf(setting)).resolves.toHaveProperty("spec.bmc.password");
  },
);

it("what stands beside a secret, or has a name like one, is taken", async () => {
  expect(await bodyOf("spec.bmc={username: root}", "spec.bmc.passwords=2")).toEqual({
    spec: { bmc: { username: "root", passwords: 2 } },
  });
});
