import { expect, it } from "vitest";
import { toTerms } from "./terms";

it.each([
	["take", "takes"],
	["box", "boxes"],
	["day", "days"],
	["fee", "fees"],
	["refund", "refunded"],
	["approve", "approves"],
	["policy", "policies"],
	["Café", "cafe"],
])("brings %s and %s together", (one, other) => {
	expect(toTerms(one)).toEqual(toTerms(other));
});

it.each([
	["pass", "pas"],
	["press", "pres"],
])("keeps %s and %s apart", (one, other) => {
	expect(toTerms(one)).not.toEqual(toTerms(other));
});
