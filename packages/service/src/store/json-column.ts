declare const VALUE: unique symbol;

/** JSON in a text column, with the type of its value. Only what is parsed from it has that type: any text fits. */
export type JsonColumn<Value> = string & { readonly [VALUE]?: Value };

/** Value of a column. What the service wrote is trusted, and not checked again. */
export const parseColumn = <Value>(column: JsonColumn<Value>): Value => JSON.parse(column);
