import { randomUUID } from "node:crypto";

/**
 * Creates a function that writes the JSON of objects that differ in one text only: all around that text is written once.
 *
 * @param toObject - creates the object of a text, which it has once.
 */
export function createTextTemplate(toObject: (text: string) => object): (text: string) => string {
	const mark = randomUUID();
	const [before = "", after = ""] = JSON.stringify(toObject(mark)).split(JSON.stringify(mark));
	return (text) => before + JSON.stringify(text) + after;
}
