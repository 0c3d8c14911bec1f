import { type ConverseRequest, isObject, type ToolConfiguration } from "../converse-request.ts";
import { reject, rejectType } from "../rejection.ts";
import { assertDocument, checkMessages, checkToolTurns } from "./check-messages.ts";
import { checkShape } from "./check-shape.ts";
import { REQUEST_SHAPE } from "./request-shape.ts";

/** The body of a request, as far as it can be judged without the rest of the conversation. */
export function parseBody(text: string): ConverseRequest {
	const body = parseJson(text);
	checkShape(body, REQUEST_SHAPE);
	return body as ConverseRequest;
}

/** What the service says of a body once it knows the model. */
export function checkBody(body: ConverseRequest, hasSeparateToolTurns: boolean): void {
	body.system?.forEach(({ text }, index) => {
		if (typeof text === "string" && text.trim() === "")
			reject(
				`The text field in the SystemContentBlock object at system.${index} is blank. Add text to the text field, and try again.`,
			);
	});
	if (body.toolConfig !== undefined) checkTools(body.toolConfig);
	checkMessages(body);
	if (hasSeparateToolTurns) checkToolTurns(body);
}

function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return rejectType("Unable to parse the body of the request as JSON");
	}
}

function checkTools({ tools, toolChoice }: ToolConfiguration): void {
	tools.forEach(({ toolSpec }, index) => {
		if (toolSpec !== undefined)
			checkSchema(toolSpec.inputSchema.json, `toolConfig.tools.${index}.toolSpec.inputSchema.json`);
	});
	const names = tools.flatMap(({ toolSpec }) => toolSpec?.name ?? []);
	const repeated = names.find((name, index) => names.indexOf(name) !== index);
	if (repeated !== undefined)
		reject(`The toolConfig.tools field contains more than one tool with the name ${repeated}.`);
	if (toolChoice?.tool !== undefined && !names.includes(toolChoice.tool.name))
		reject(`The tool ${toolChoice.tool.name} at toolConfig.toolChoice.tool.name is not in toolConfig.tools.`);
}

function checkSchema(schema: unknown, path: string): void {
	assertDocument(schema, path);
	if (isObject(schema) && schema.type !== "object")
		reject(`The value at ${path}.type must be one of the following: object.`);
}
