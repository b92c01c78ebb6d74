import type { Dose } from '@app/client';
import { addDays, dayOf } from '../../../platform/model/dates';
import type { DoseAmount, Medicine, Stock } from '@app/client/documents';
import { dosesDueOn } from './schedule';
import { takenAmount } from '../../doses/model/taken-amount';

/** What is left of a medicine, and until when it lasts. */
export interface StockForecast {
  /** Never below zero. */
  left: number;
  /** Full days that it lasts; absent where nothing tells how fast it is used. */
  days?: number;
  /** The first day with too little. */
  emptyOn?: string;
  isLow: boolean;
}

/** How many units of the stock an amount is. Another amount than that of the dose counts in proportion. */
function unitsOf({ details: { dose } }: Medicine, taken: DoseAmount | undefined, perDose: number): number {
  if (!taken || !dose || dose.unit !== taken.unit) return perDose;
  return (taken.amount / dose.amount) * perDose;
}

const HORIZON_DAYS = 366;
const AVERAGED_DAYS = 30;

/** @returns `undefined` where no stock was entered. */
export function forecastStock(
  medicine: Medicine,
  doses: readonly Dose[],
  now: Date,
): StockForecast | undefined {
  const { stock, schedule } = medicine.details;
  if (!stock) return undefined;
  const usedSince = (since: string) =>
    doses
      .filter(({ taken, loggedAt }) => taken && loggedAt > since)
      .reduce((sum, dose) => sum + unitsOf(medicine, takenAmount(medicine, dose), stock.perDose), 0);
  const used = usedSince(stock.countedAt);
  const left = Math.max(0, Math.round((stock.count - used) * 1000) / 1000);
  const isLow = left <= stock.refillAt;
  const today = dayOf(now);
  if (schedule?.asNeeded) {
    const since = new Date(now.getTime() - AVERAGED_DAYS * 86_400_000).toISOString();
    const perDay = usedSince(since) / AVERAGED_DAYS;
    if (perDay === 0) return { left, isLow };
    const days = Math.floor(left / perDay);
    return { left, isLow, days, emptyOn: addDays(today, days) };
  }
  const takenToday = doses
    .filter(({ taken, loggedAt }) => taken && dayOf(new Date(loggedAt)) === today)
    .reduce((sum, dose) => sum + unitsOf(medicine, takenAmount(medicine, dose), stock.perDose), 0);
  let rest = left;
  for (let days = 0; days < HORIZON_DAYS; days += 1) {
    const day = addDays(today, days);
    const due = dosesDueOn(medicine, day).reduce(
      (sum, { dose }) => sum + unitsOf(medicine, dose, stock.perDose),
      days === 0 ? -takenToday : 0,
    );
    rest -= Math.max(0, due);
    if (rest < 0) return { left, isLow, days, emptyOn: day };
  }
  return { left, isLow };
}

/** A stock from now on, for doses of another amount. What was taken before counts with the amount of then. */
export function stockFor(
  perDose: number,
  medicine: Medicine,
  doses: readonly Dose[],
  now: Date,
): Stock | undefined {
  const { stock } = medicine.details;
  if (!stock || stock.perDose === perDose) return stock;
  const { left = stock.count } = forecastStock(medicine, doses, now) ?? {};
  return { ...stock, count: left, countedAt: now.toISOString(), perDose };
}
