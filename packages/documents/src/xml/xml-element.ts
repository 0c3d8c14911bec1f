/** Element of an XML file. Names have the usual prefix of their namespace (`w:p`), whatever prefix the file has. */
export interface XmlElement {
	readonly name: string;
	readonly attributes: Readonly<Record<string, string | undefined>>;
}

/** Element with all that is in it. */
export interface XmlNode extends XmlElement {
	readonly children: readonly (XmlNode | string)[];
}
