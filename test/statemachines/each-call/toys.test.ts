import { eachCallOf } from "../../support/matrix/each-call.ts";
import { toys } from "../../support/matrix/toys.ts";

for (const name of Object.keys(toys.sagas)) await eachCallOf(toys, name);
