import { createDataBuilder, type DataBuilder, type DataNode } from "./data-node";

/** Values of JSON or YAML as nodes. @throws UnreadableError beyond the limits. */
export const toDataNode = (value: unknown): DataNode | undefined => convert(value, createDataBuilder());

function convert(value: unknown, builder: DataBuilder): DataNode | undefined {
	if (value === null || value === undefined) return undefined;
	if (typeof value !== "object") return builder.scalar(String(value));
	return builder.nest(() => {
		if (Array.isArray(value)) return builder.list(value.map((item) => convert(item, builder)));
		return builder.record(Object.entries(value).map(([key, item]) => [key, convert(item, builder)]));
	});
}
