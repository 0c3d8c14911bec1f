import { findKeyProblem } from "../encryption/encryption-keys";
import type { InputIssue } from "../validation/check-input";
import type { Configuration } from "./configuration";

/** Keys that cannot encrypt anything; no part of them is repeated. */
export const findKeyIssues = ({ encryption }: Configuration): InputIssue[] =>
	encryption.keys.flatMap(({ id, key }, index) => {
		const problem = findKeyProblem(key.reveal());
		if (problem === undefined) return [];
		const message = `(of the key "${id}") ${problem}`;
		return [{ path: `encryption.keys[${index}].key`, message, kind: "invalid" }];
	});
