import { ConfigurationError } from "@stemma/client";

/**
 * What a function of a hook was given, for a request.
 *
 * @throws ConfigurationError for what JSON cannot hold: nothing at all, a BigInt, a circle.
 */
export function assertJson<Value>(name: string, value: Value): Value {
	try {
		if (JSON.stringify(value)?.startsWith("{")) return value;
	} catch (cause) {
		throw new ConfigurationError(`\`${name}\` was given what JSON cannot hold: ${cause}`, { cause });
	}
	throw new ConfigurationError(`\`${name}\` needs a request: an object.`);
}
