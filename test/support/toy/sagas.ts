import { AppError } from "../../../core/error.ts";
import { type Saga, type StepAction, saga } from "../../../core/kernel/saga/action.ts";
import type { StepContext } from "../../../core/kernel/saga/context.ts";
import { done, pending, phase, type Step, step } from "../../../core/kernel/saga/saga.ts";
import type { Sagas } from "../../../core/kernel/saga/settle.ts";
import { paintTime } from "./box.ts";
import { boxOf } from "./client.ts";
import type { Toy, ToySpec } from "./model.ts";
import { claimShelf, releaseShelf } from "./shelf.ts";

/**
 * The sagas on toys. They use what a saga can have: claims in the store, changes outside, branches, waits
 * in both directions, a look that changes nothing, and a deletion that cannot turn back.
 */

type ToyStep = Step<StepAction<Toy>>;

const deadline = 60 * 60_000;
const box = { name: "box", zone: "site" } as const;
const inStore = { deadline };
const inBox = { system: box, deadline };

/** What the running operation brings about: a later wish may stand in the spec already. */
const wantedOf = ({ applying, spec }: Toy): ToySpec => applying ?? spec;

const claimPlace: ToyStep = step<StepAction<Toy>>(
  "ClaimShelf",
  { ...inStore, act: claimShelf },
  { ...inStore, act: releaseShelf },
);
const makeCrate = step<StepAction<Toy>>(
  "MakeCrate",
  {
    ...inBox,
    act: (toy, { deps, signal }) =>
      boxOf(deps).put(toy.id, { blocks: wantedOf(toy).blocks }, signal),
  },
  { ...inBox, act: ({ id }, { deps, signal }) => boxOf(deps).remove(id, signal) },
);
const fillCrate = step<StepAction<Toy>>(
  "FillCrate",
  {
    ...inBox,
    act: (toy, { deps, signal }) =>
      boxOf(deps).put(toy.id, { blocks: wantedOf(toy).blocks }, signal),
  },
  {
    ...inBox,
    act: ({ id, applied }, { deps, signal }) =>
      boxOf(deps).put(id, { blocks: applied?.blocks ?? 0 }, signal),
  },
);
const labelCrate = step<StepAction<Toy>>(
  "LabelCrate",
  {
    ...inBox,
    act: ({ id, metadata }, { deps, signal }) =>
      boxOf(deps).put(`${id}/label`, { label: metadata.name }, signal),
  },
  { ...inBox, act: ({ id }, { deps, signal }) => boxOf(deps).remove(`${id}/label`, signal) },
);
const checkCrate = step<StepAction<Toy>>(
  "CheckCrate",
  {
    ...inBox,
    effects: "none",
    async act(toy, { deps, signal }) {
      const crate = await boxOf(deps).get(toy.id, signal);
      if (crate?.blocks !== wantedOf(toy).blocks)
        throw new AppError("Internal", `the crate has ${crate?.blocks} blocks`);
    },
  },
  { none: "it only checks" },
);

/** Notes the coat that the box shows. */
const lookAtCoat = async (
  { id }: Toy,
  { deps, signal, change }: StepContext<Toy>,
): Promise<void> => {
  const crate = await boxOf(deps).get(id, signal);
  await change(({ coat: _, ...toy }) => ({
    ...toy,
    ...(crate && { coat: { colour: crate.colour, isDry: crate.isDry } }),
  }));
};
/** Gives the crate a coat and waits until it is dry; `null` takes the coat off. */
const coated = (colourOf: (toy: Toy) => string | null): StepAction<Toy> => ({
  ...inBox,
  async act(toy, context) {
    const [colour, path] = [colourOf(toy), `${toy.id}/coat`];
    const client = boxOf(context.deps);
    if (colour === null) await client.remove(path, context.signal);
    else await client.put(path, { colour }, context.signal);
  },
  look: lookAtCoat,
  until: (toy) => {
    const { coat } = toy;
    const colour = colourOf(toy);
    const isThere = coat ? coat.colour === colour && coat.isDry : colour === null;
    return isThere ? done : pending(`the ${colour ?? "bare wood"} to dry`, paintTime / 4);
  },
});
const paintCrate = step<StepAction<Toy>>(
  "PaintCrate",
  coated((toy) => wantedOf(toy).colour),
  coated(({ applied }) => applied?.colour ?? null),
);

const create: Saga<"toy"> = saga("toy-create", {
  comment: "makes a crate of blocks, paints it and labels it",
  nodes: [
    claimPlace,
    makeCrate,
    {
      name: "Finish",
      branches: [
        { name: "Paint", steps: [paintCrate] },
        { name: "Label", steps: [labelCrate] },
      ],
    },
    checkCrate,
  ],
});
const change: Saga<"toy"> = saga("toy-change", {
  comment: "changes the blocks in a crate and its coat",
  nodes: [fillCrate, paintCrate, checkCrate],
});
const remove: Saga<"toy"> = saga("toy-delete", {
  comment: "takes a toy away",
  irreversible: true,
  nodes: [
    phase(
      "TakeAway",
      step<StepAction<Toy>>(
        "StripCrate",
        coated(() => null),
        { none: "a deletion cannot turn back" },
      ),
      step<StepAction<Toy>>(
        "RemoveCrate",
        { ...inBox, act: ({ id }, { deps, signal }) => boxOf(deps).remove(id, signal) },
        { none: "a deletion cannot turn back" },
      ),
      step<StepAction<Toy>>(
        "ReleaseShelf",
        { ...inStore, act: releaseShelf },
        { none: "a deletion cannot turn back" },
      ),
    ),
  ],
});
export const toySagas: Sagas = {
  [create.name]: create,
  [change.name]: change,
  [remove.name]: remove,
};
