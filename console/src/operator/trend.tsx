/** The increase of usage since the day before, and how long the rest lasts at that rate. */
export function Trend({
  per_day,
  days_left,
}: {
  per_day?: number | undefined;
  days_left?: number | undefined;
}) {
  if (per_day === undefined) return null;
  return (
    <span className="quiet">
      {signed(per_day)} a day{days_left !== undefined && `, ${days_left} days left`}
    </span>
  );
}

export const signed = (count: number | undefined): string =>
  count === undefined ? "" : count > 0 ? `+${count}` : String(count);
