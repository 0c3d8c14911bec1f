import { DomainError } from "../errors/domain-error";

/** Names that a protocol has for fields of chat completions. */
export type ParamNames = Readonly<Record<string, string>>;

/** An error whose `param` has the name that the field has in another protocol. */
export function renameParam(error: unknown, names: ParamNames): unknown {
	if (!(error instanceof DomainError) || error.param === undefined) return error;
	const { code, message, param, hint, origin, details, retryAfterSeconds, cause } = error;
	const renamed = Object.hasOwn(names, param) ? names[param] : undefined;
	if (renamed === undefined) return error;
	return new DomainError(code, rename(message, param, renamed), {
		param: renamed,
		hint: hint === undefined ? undefined : rename(hint, param, renamed),
		origin,
		details,
		retryAfterSeconds,
		cause,
	});
}

const rename = (text: string, param: string, renamed: string): string =>
	text.replaceAll(`\`${param}\``, `\`${renamed}\``);
