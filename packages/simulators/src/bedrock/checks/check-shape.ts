import { type Fields, isObject } from "../converse-request.ts";
import { reject, rejectType } from "../rejection.ts";
import type { NumberShape, Shape, StructureShape, TextShape, UnionShape } from "./shape.ts";

type Path = readonly (string | number)[];

/**
 * Looks at a value and all in it; stops at the first thing that the vendor would refuse. A member that is null is
 * refused, where the vendor takes it as left out.
 */
export function checkShape(value: unknown, shape: Shape, path: Path = []): void {
	switch (shape.kind) {
		case "text":
			return checkText(value, shape, path);
		case "number":
			return checkNumber(value, shape, path);
		case "boolean":
			if (typeof value !== "boolean") rejectType(`${tokenOf(value)} can not be converted to a Boolean`);
			return;
		case "document":
			return;
		case "list":
			return checkList(value, shape.of, shape.minLength, path);
		case "map":
			for (const [key, item] of Object.entries(getObject(value))) checkShape(item, shape.of, [...path, key]);
			return;
		case "structure":
			return checkStructure(getObject(value), shape, path);
		case "union":
			return checkUnion(getObject(value), shape, path);
	}
}

function checkText(value: unknown, limits: TextShape, path: Path): void {
	if (typeof value !== "string") rejectType(`${tokenOf(value)} can not be converted to a String`);
	const { minLength = 0, maxLength = Infinity, oneOf, pattern } = limits;
	if (oneOf !== undefined && !oneOf.includes(value))
		rejectValue(value, path, `Member must satisfy enum value set: [${oneOf.join(", ")}]`);
	if (value.length < minLength)
		rejectValue(value, path, `Member must have length greater than or equal to ${minLength}`);
	if (value.length > maxLength)
		rejectValue(value, path, `Member must have length less than or equal to ${maxLength}`);
	if (pattern !== undefined && !new RegExp(`^(?:${pattern})$`).test(value))
		rejectValue(value, path, `Member must satisfy regular expression pattern: ${pattern}`);
}

function checkNumber(value: unknown, { isInteger, from, to }: NumberShape, path: Path): void {
	if (typeof value !== "number")
		rejectType(`${tokenOf(value)} can not be converted to ${isInteger ? "an Integer" : "a Float"}`);
	if (isInteger && !Number.isInteger(value)) rejectType("NUMBER_VALUE can not be converted to an Integer");
	if (from !== undefined && value < from)
		rejectValue(value, path, `Member must have value greater than or equal to ${from}`);
	if (to !== undefined && value > to)
		rejectValue(value, path, `Member must have value less than or equal to ${to}`);
}

function checkList(value: unknown, shape: Shape, minLength: number, path: Path): void {
	if (!Array.isArray(value)) rejectType("Expected list or null");
	if (value.length < minLength)
		rejectValue("[]", path, `Member must have length greater than or equal to ${minLength}`);
	value.forEach((item, index) => {
		checkShape(item, shape, [...path, index]);
	});
}

function checkStructure(fields: Fields, { members, required }: StructureShape, path: Path): void {
	rejectUnknown(fields, members, path);
	for (const name of required)
		if (fields[name] === undefined) rejectValue(null, [...path, name], "Member must not be null");
	checkMembers(fields, members, path);
}

function checkUnion(fields: Fields, { name, members }: UnionShape, path: Path): void {
	rejectUnknown(fields, members, path);
	if (Object.keys(fields).length !== 1)
		reject(
			`${name} object at ${path.join(".")} must set one of the following keys: ${Object.keys(members).join(", ")}.`,
		);
	checkMembers(fields, members, path);
}

function checkMembers(fields: Fields, members: Readonly<Record<string, Shape>>, path: Path): void {
	for (const [name, shape] of Object.entries(members))
		if (fields[name] !== undefined) checkShape(fields[name], shape, [...path, name]);
}

function rejectUnknown(fields: Fields, members: object, path: Path): void {
	const unknown = Object.keys(fields).find((name) => !Object.hasOwn(members, name));
	if (unknown === undefined) return;
	reject(
		`Malformed input request: #${path.map((key) => `/${key}`).join("")}: extraneous key [${unknown}] is not permitted, please reformat your input and try again.`,
	);
}

/** `messages.1.member.role`: here the vendor counts from one. */
const memberPath = (path: Path): string =>
	path.map((key) => (typeof key === "number" ? `${key + 1}.member` : key)).join(".");

function rejectValue(value: string | number | null, path: Path, limit: string): never {
	const shown = value === null ? "null" : `'${value}'`;
	return reject(
		`1 validation error detected: Value ${shown} at '${memberPath(path)}' failed to satisfy constraint: ${limit}`,
	);
}

function getObject(value: unknown): Fields {
	return isObject(value) ? value : rejectType("Unexpected field type");
}

function tokenOf(value: unknown): string {
	if (value === null) return "NULL_VALUE";
	if (typeof value === "boolean") return value ? "TRUE_VALUE" : "FALSE_VALUE";
	if (typeof value === "number") return "NUMBER_VALUE";
	if (typeof value === "string") return "STRING_VALUE";
	return Array.isArray(value) ? "START_ARRAY" : "START_OBJECT";
}
