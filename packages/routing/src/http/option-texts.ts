import type { StemmaError } from "@stemma/core/errors";

/** Message and hint of an error. */
export interface ErrorTexts {
	readonly message: string;
	readonly hint?: string | undefined;
}

/** Names of options by their names in this package. */
export interface OptionNames {
	readonly [option: string]: string | undefined;
}

/** Key of the templates of an error, the same in every copy of this package. */
const TEMPLATES = Symbol.for("stemma.texts");

/**
 * Creates an error whose texts mention options.
 *
 * @param templates - texts with options in braces: `Check {baseUrl}.`
 */
export function withOptions<Failure extends StemmaError>(
	templates: ErrorTexts,
	create: (message: string, hint: string | undefined) => Failure,
): Failure {
	const { message, hint } = fillTemplates(templates, {});
	return Object.defineProperty(create(message, hint), TEMPLATES, { value: templates });
}

/**
 * Message and hint of an error, with the names that an application has for the options of this package:
 * `renameOptions(error, { apiKey: "api_key" })` says "Set `api_key` to …" where the error says "Set `apiKey` to …".
 * Errors of other packages keep their texts.
 */
export function renameOptions(
	{ message, hint, [TEMPLATES]: templates }: StemmaError & { readonly [TEMPLATES]?: ErrorTexts },
	names: OptionNames,
): ErrorTexts {
	return templates === undefined ? { message, hint } : fillTemplates(templates, names);
}

const fillTemplates = ({ message, hint }: ErrorTexts, names: OptionNames): ErrorTexts => ({
	message: fillTemplate(message, names),
	hint: hint === undefined ? undefined : fillTemplate(hint, names),
});

/** Braces with blanks between them are text: `{ apiKey }`. */
const fillTemplate = (template: string, names: OptionNames): string =>
	template.replace(/\{([^\s{}]+)\}/g, (_, option: string) => `\`${names[option] ?? option}\``);
