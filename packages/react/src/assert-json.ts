import { ConfigurationError } from "@stemma/client";

/**
 * Returns a request that was passed to a function of a hook, if it is a JSON object.
 *
 * @throws ConfigurationError for what JSON cannot hold: `undefined`, a BigInt, a circular reference.
 */
export function assertJson<Value>(name: string, value: Value): Value {
	let problem: unknown = typeof value;
	try {
		if (JSON.stringify(value)?.startsWith("{")) return value;
	} catch (error) {
		problem = error;
	}
	throw new ConfigurationError(`\`${name}\` needs a request, a JSON object; it was given: ${problem}`);
}
