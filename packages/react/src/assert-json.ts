import { ConfigurationError } from "@stemma/client";

/**
 * Returns a request that was passed to a function of a hook, if it is a JSON object.
 *
 * @throws ConfigurationError for what JSON cannot hold: `undefined`, a BigInt, a circular reference.
 */
export function assertJson<Value>(name: string, value: Value): Value {
	try {
		if (JSON.stringify(value)?.startsWith("{")) return value;
	} catch (cause) {
		throw new ConfigurationError(`\`${name}\` has a value that JSON cannot hold: ${cause}`, { cause });
	}
	throw new ConfigurationError(`\`${name}\` needs a request: an object.`);
}
