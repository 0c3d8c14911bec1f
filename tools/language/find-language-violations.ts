import { listDeclaredNames } from "../sources/declared-names.ts";
import { listDocstrings } from "../sources/docstrings.ts";
import { findInAllCode, isTest, packageOf, type SourceFile } from "../sources/source-file.ts";
import { hasRefusedVerb, isRefusedConstant, opensEmpty } from "./language-rules.ts";

/** Rules on wording that code is held to. */
export type LanguageRule = "constants" | "docstrings" | "verbs";

/** Place that breaks a rule; `message` says what to write instead. */
export interface LanguageViolation {
	readonly rule: LanguageRule;
	readonly path: string;
	readonly line: number;
	readonly message: string;
}

/** Places in a file that break a rule on wording. */
export function findLanguageViolations(source: SourceFile): LanguageViolation[] {
	const { path } = source;
	const names = listDeclaredNames(source).flatMap(({ name, line, isFunction }): LanguageViolation[] => {
		if (isRefusedConstant(name))
			return [{ rule: "constants", path, line, message: `${name}: call it MAX_… or MIN_…, with the unit` }];
		if (isFunction && hasRefusedVerb(name))
			return [{ rule: "verbs", path, line, message: `${name}: start with a verb that programs use` }];
		return [];
	});
	const docstrings = listDocstrings(source)
		.filter(({ text }) => opensEmpty(text))
		.map(({ text, line }): LanguageViolation => {
			const opening = text.split(/\s+/).slice(0, 3).join(" ");
			const message = `"${opening} …": start with a noun phrase or a third-person verb that names the thing`;
			return { rule: "docstrings", path, line, message };
		});
	return [...names, ...docstrings];
}

/** Places in the repository that break a rule on wording; of docstrings, those of sources alone. */
export const findAllLanguageViolations = (): LanguageViolation[] =>
	findInAllCode("language", findLanguageViolations).filter(
		({ rule, path }) => rule !== "docstrings" || (path.startsWith("packages/") && !isTest(path)),
	);

/** Part of the repository that a violation is counted in: `docstrings client`. */
export const toTodoKey = ({ rule, path }: LanguageViolation): string => `${rule} ${packageOf(path)}`;
