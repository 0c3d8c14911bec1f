import type { RunShareField } from "@stemma/client";
import { InvalidArgumentError } from "commander";

const FIELDS = [
	"input",
	"output",
	"links",
	"steps",
	"tools",
	"receipt",
] as const satisfies readonly RunShareField[];

/** Parses the parts of a run that a link shows, with commas between. @throws InvalidArgumentError */
export const parseShareFields = (text: string): readonly RunShareField[] =>
	text.split(",").map((name) => {
		const field = FIELDS.find((known) => known === name.trim());
		if (field === undefined) throw new InvalidArgumentError(`Parts are ${FIELDS.join(", ")}.`);
		return field;
	});
