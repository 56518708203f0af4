import type { References } from "../../kernel/request/references.ts";
import type { Json } from "../../kernel/store/store.ts";
import { isAny, type ParameterValue, typeUrl, unwrapped } from "./any.ts";
import { refusalsOf } from "./content/parameters.ts";
import { hasType, type Parameter } from "./parameter.ts";

/** The template of an order of any kind. */
interface Template {
  id: string;
  parameters: readonly Parameter[];
}

/** The parameter values of an order, with the template's defaults; each fault adds a violation. */
export function parameterValues(
  check: Pick<References, "refuse" | "refuseOnce">,
  template: Template,
  given: Record<string, ParameterValue>,
): Record<string, Json> {
  const { id, parameters } = template;
  const field = (name: string) => `spec.template_parameters.${name}`;
  const values = new Map<string, Json>();
  for (const [name, value] of Object.entries(given)) {
    const parameter = parameters.find((each) => each.name === name);
    if (!parameter) {
      check.refuse(field(name), unknownParameter(name, template));
      continue;
    }
    const plain = unwrapped(value);
    const fits =
      plain &&
      (plain.type ?? parameter.type) === parameter.type &&
      hasType(plain.value, parameter.type);
    if (fits) {
      values.set(name, plain.value);
      for (const message of refusalsOf(parameter, plain.value)) check.refuse(field(name), message);
    } else {
      const is = isAny(value) ? value["@type"] : typeof value;
      check.refuse(
        field(name),
        `type of parameter '${name}' of template '${id}' should be '${typeUrl(parameter.type)}' (${parameter.type}), but it is '${is}'`,
      );
    }
  }
  for (const { name, required, default: fallback } of parameters) {
    if (Object.hasOwn(given, name)) continue;
    if (fallback !== undefined) values.set(name, fallback);
    else if (required)
      check.refuseOnce(field(name), `parameter '${name}' of template '${id}' is mandatory`);
  }
  return Object.fromEntries(values);
}

function unknownParameter(name: string, { id, parameters }: Template): string {
  const valid = parameters.map((each) => `'${each.name}'`).join(" and ") || "none";
  return `template parameter '${name}' doesn't exist, valid values for template '${id}' are ${valid}`;
}
