import type { ReactNode } from "react";
import type { ClusterTemplate } from "../generated/answers.ts";
import { Field } from "../ui/field.tsx";

type Definition = ClusterTemplate["parameters"][number];

interface ParameterProps {
  parameter: Definition;
  value: unknown;
  change(value: unknown): void;
}

interface ParametersProps {
  of: readonly Definition[];
  values: Record<string, unknown>;
  change(values: Record<string, unknown>): void;
}

/** The parameters of a template, with a field for each by its type and its schema. */
export const Parameters = ({ of, values, change }: ParametersProps) =>
  of.map((parameter) => (
    <Parameter
      key={parameter.name}
      parameter={parameter}
      value={values[parameter.name]}
      change={(value) => change({ ...values, [parameter.name]: value })}
    />
  ));

function Parameter(props: ParameterProps) {
  const { name, title, description, required } = props.parameter;
  return (
    <Field label={`${title ?? name}${required ? "" : ", if wanted"}`} hint={description}>
      {(id) => controlOf(props, id)}
    </Field>
  );
}

function controlOf({ parameter, value, change }: ParameterProps, id: string): ReactNode {
  const { type, schema = {}, default: usual } = parameter;
  const text = String(value ?? "");
  const placeholder = usual === undefined ? "" : String(usual);
  if (type === "boolean")
    return (
      <input
        id={id}
        type="checkbox"
        checked={(value ?? usual) === true}
        onChange={({ target }) => change(target.checked)}
      />
    );
  if (schema.enum)
    return (
      <select
        id={id}
        value={text}
        onChange={({ target }) => change(oneOf(schema.enum, target.value))}
      >
        <option value="">{placeholder && `${placeholder} (default)`}</option>
        {schema.enum.map((each) => (
          <option key={String(each)}>{String(each)}</option>
        ))}
      </select>
    );
  const isNumber = type === "integer" || type === "number";
  const typed = (given: string) => (given === "" ? undefined : isNumber ? Number(given) : given);
  return (
    <input
      id={id}
      {...(isNumber && {
        ...{ type: "number", step: type === "integer" ? 1 : "any" },
        ...{ min: schema.minimum, max: schema.maximum },
      })}
      value={text}
      placeholder={placeholder}
      onChange={({ target }) => change(typed(target.value))}
    />
  );
}

/** The schema's value with this text; values may be numbers. */
const oneOf = (values: readonly unknown[] | undefined, text: string): unknown =>
  values?.find((each) => String(each) === text);
