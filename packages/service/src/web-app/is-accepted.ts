/** Checks whether a header `accept` or `accept-encoding` names something, and not with the weight 0. */
export const isAccepted = (header: string, name: string): boolean =>
	header.split(",").some((part) => {
		const [accepted = "", ...parameters] = part.split(";").map((text) => text.trim().toLowerCase());
		return accepted === name && !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter));
	});
