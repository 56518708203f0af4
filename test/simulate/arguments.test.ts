import { expect, it } from "vitest";
import { commandFor, settingsOf } from "../../simulate/arguments.ts";

const told = "--seed 7 --orders 48 --faults 0.1";
const read = (options: string) => settingsOf(options.split(" "));

it.each([
  [told, { seed: 7, orders: 48, faults: 0.1, hours: 2, mix: "orders" }],
  [`${told} --hours 5 --mix sizes`, { seed: 7, orders: 48, faults: 0.1, hours: 5, mix: "sizes" }],
  [
    "--seed 7 --orders 48 --hot-pool 5..20 --failing-servers 0.1",
    {
      ...{ seed: 7, orders: 48, faults: 0, hours: 2, mix: "orders" },
      ...{ hotPool: { min: 5, max: 20 }, failingServers: 0.1 },
    },
  ],
  [
    "--bare-metal --seed 7 --lives 60 --dead-dpus 0.1",
    {
      ...{ seed: 7, orders: 60, faults: 0, hours: 2, mix: "orders" },
      bareMetal: { deadDpus: 0.1 },
    },
  ],
])("reads %s", (options, settings) => {
  expect(read(options)).toEqual(settings);
});

it.each([
  ["--seed 7 --orders 48", "--faults is missing: it must be a number from 0 to 0.5"],
  [`${told} --faults 2`, "--faults must be a number from 0 to 0.5, not '2'"],
  [`${told} --orders 1.5`, "--orders must be a whole number from 1 to 1000000, not '1.5'"],
  [`${told} --orders 0`, "--orders must be a whole number from 1 to 1000000, not '0'"],
  [`${told} --seed seven`, "--seed must be a whole number from 0 to 4294967295, not 'seven'"],
  [`${told} --hours -1`, "--hours"],
  [`${told} --mix all`, "--mix must be one of orders, sizes, not 'all'"],
  [`${told} --order 3`, "--order"],
  [`${told} --hot-pool 20..5`, "--hot-pool must be two whole numbers, such as 5..20, not '20..5'"],
  [`${told} --failing-servers 0.1`, "--failing-servers needs --hot-pool"],
  [`${told} --hot-pool 5..20 --failing-servers 1`, "--failing-servers must be a number"],
  [`${told} --lives 5`, "--lives needs --bare-metal"],
  [`${told} --dead-dpus 0.1`, "--dead-dpus needs --bare-metal"],
  [`${told} --bare-metal --lives 5`, "--bare-metal goes with --lives"],
  ["--seed 7 --bare-metal", "--lives is missing"],
])("refuses %s and names the option", (options, message) => {
  expect(() => read(options)).toThrow(message);
});

it.each([
  `${told} --hours 4`,
  `${told} --hours 4 --hot-pool 0..2 --failing-servers 0.25`,
  "--seed 7 --bare-metal --lives 48 --faults 0.1 --dead-dpus 0.1 --hours 4",
])("a command runs the same again, or its first orders at the same times: %s", (options) => {
  const settings = read(options);
  const again = (command: string) => read(command.split(" -- ")[1] ?? "");
  expect(again(commandFor(settings))).toEqual(settings);
  expect(again(commandFor(settings, 12))).toEqual({ ...settings, orders: 12, hours: 1 });
});
