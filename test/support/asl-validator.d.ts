declare module "asl-validator" {
  export default function validator(definition: object): { isValid: boolean; errors: unknown[] };
}
