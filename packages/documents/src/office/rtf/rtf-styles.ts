/** Level of a heading by the style of its paragraph: 0 is the title of the document. */
export interface RtfStyle {
	name: string;
	outline: number | undefined;
}

export function toHeadingLevel(style: RtfStyle | undefined, outline: number | undefined): number | undefined {
	const name = style?.name.trim() ?? "";
	if (/^title$/iu.test(name)) return 0;
	const own = outline ?? style?.outline;
	if (own !== undefined && own >= 0 && own <= 8) return own + 1;
	const level = /^heading ?([1-9])$/iu.exec(name)?.[1];
	return level === undefined ? undefined : Number(level);
}
