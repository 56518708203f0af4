import { outsideOf } from "../../../../support/matrix/outside.ts";
import { toys } from "../../../../support/matrix/toys.ts";

outsideOf(toys, "toy-change");
