// The messages of the server, as `api/openapi.json` describes them.

export type Role = 'id' | 'number' | 'category' | 'date' | 'text' | 'label' | 'describe' | 'drop'
export type Kind = 'none' | 'table' | 'graph' | 'image'

export interface Column {
  name: string
  role: Role
  holds?: string // number, category, date, text or ''
}

// What was noticed about the data, with buttons that read them in another way.
export interface Note {
  text: string
  offers?: Offer[] | null
}

export interface Offer {
  text: string
  column?: string
  role?: Role
  log?: string
  as?: string
}

// How data are read otherwise than they would be by themselves; the role '' is the one a column has by itself.
export interface Reading {
  roles?: ({ column: string } & GivenColumn)[]
  log?: string
  as?: string
}

// What a person says of a column; settings that are not given are found out.
export interface GivenColumn {
  role: Role | ''
  settings?: ColumnSettings
}

// The other cells of a column's line in a plan of columns, in the words of its file.
export interface ColumnSettings {
  transform: string
  unit: string
  scale: string
  missing: string
  weight: string
}

export interface ColumnPlan {
  name: string
  role: Role
  holds: string
  given: boolean
  why: string
  offers?: Offer[] | null
  settings: ColumnSettings
}

// What each column of a table is for, and its first rows.
export interface ColumnTable {
  kind: string
  rows: number
  columns: ColumnPlan[] | null
  more: number
  head: { columns: string[] | null; rows: string[][] | null }
  notes: Note[] | null
  error: Fault | null
}

export interface Example {
  name: string
  title: string
  rows: number
  kind: string
}

export interface Cluster {
  index: number
  name: string
  size: number
  terms?: string[] | null
  summary?: string
}

export interface Fit {
  n: number
  method: string
  k: number
  number?: string // why there are so many groups; '': nobody had to choose
  clusters: Cluster[]
  unassigned: number
  empty?: number // clusters without rows, which are not listed
  whyEmpty?: string
  ariBefore?: number | null
  moved?: number | null
  others?: number // of the rows that moved, those that no answer names
  before?: number // the fit to return to where many of these moved; 0: none
  why?: string // what answers changed
  reliability?: '' | 'low' | 'fair' | 'good' // '': not judged
  reliable?: string // the same in a sentence
  satisfied: number
  constraints: number
  violated: number
  seconds: number
  at: string
  sure?: boolean // the confidences are of this fit
  detailed?: boolean // confidences, descriptions and names are there
}

export interface Running {
  stage: string
  done: number
  of: number
  objective?: number[] | null
  startedAt: string
  why?: string
}

export interface Settings {
  method?: string
  k?: number
  kMin?: number
  kMax?: number
  effort?: string
  seed?: number
  kFixed?: boolean // the number of clusters was given, not chosen
}

export interface Totals {
  labels: number
  must: number
  cannot: number
  beliefs: number
  unsure: number
  skipped: number
}

// Constraints that look wrong; not ready: those in force are not judged yet.
export interface SuspectCount {
  ready: boolean
  likely: number
}

export interface ImageState {
  width: number
  height: number
  labels?: { index: number; name: string; colour: string }[] | null
  strokes: number
  mask: number
}

export interface Fault {
  kind: string
  message: string
  hint?: string
}

export interface State {
  kind: Kind
  name: string
  version: string
  rows: number
  session: string
  command: string
  columns?: Column[] | null
  examples?: Example[] | null
  settings: Settings
  methods?: { name: string; title: string }[] | null
  fit: Fit | null
  running: Running | null
  totals: Totals
  suspects?: SuspectCount
  undo: string | null
  redo: string | null
  auto?: boolean // changes are followed by a fit
  events: number
  states?: NamedState[] | null
  notes?: Note[] | null
  error: Fault | null
  image: ImageState | null
  graph: { edges: number; views?: string[] | null } | null
  places?: PlacesState
  pictures?: boolean // rows are pictures
}

// How points are placed. By neighbours they settle, and the version grows meanwhile.
export interface PlacesState {
  how: Layout // unless the person chooses
  near: boolean
  version: number
  settling: boolean
}

export type Layout = 'linear' | 'neighbours'

export interface NamedState {
  event: number // that names it
  fit: number
  name: string
  method: string
  k: number
  shown: boolean // it is what is shown now
  at: string
}

export interface PointRef {
  point: number
  id: string
  cluster: string
}

export interface Row {
  point: number
  id: string
  cluster: string
  confidence: number | null
  next: string
  label: string
  cells: string[]
  violates: boolean
}

export interface RowPage {
  total: number
  columns: string[]
  rows: Row[]
}

export interface RowQuery {
  offset: number
  limit: number
  cluster?: string
  q?: string
  sort?: string
  desc?: boolean
  unassigned?: boolean
  points?: number[]
}

export interface Neighbour {
  point: number
  id: string
  cluster: string
  similarity: number
}

export interface Link {
  event: number
  kind: string
  point: number
  id: string
  violated: boolean
}

export interface PointDetail {
  point: number
  id: string
  cluster: string
  confidence: number | null
  next: { cluster: string; confidence: number | null } | null
  cells?: { column: string; value: string }[] | null
  text?: string
  label?: string
  why?: string
  neighbours?: Neighbour[] | null
  links?: Link[] | null
}

export interface PairField {
  column: string
  a: string
  b: string
  differs: boolean
}

export interface PairNeighbours {
  count: number
  common: number
  list: { id: string; weight: number; common: boolean }[] | null
}

// Two rows side by side.
export interface Pair {
  fields?: PairField[] | null
  texts?: { a: string; b: string } | null
  neighbours?: { a: PairNeighbours; b: PairNeighbours } | null
  joined?: number | null
  colours?: { a: number[]; b: number[] } | null
}

export interface PairDetail {
  a: PointDetail
  b: PointDetail
  pair: Pair
  together: boolean
  why?: string[] | null
  chain?: string[] | null // ids of rows that must be together, from one to the other
}

export interface ClusterCard {
  name: string
  size: number
  silhouette?: number | null
  traits?: { column: string; text: string }[] | null
  terms?: string[] | null
  typical?: { point: number; id: string; text: string }[] | null
  borderline?: { point: number; id: string; text: string; next: string }[] | null
  branch?: { parts: number[]; nearest: string } | null // where groups are branches of a tree
}

export interface Question {
  n: number
  a: PointRef
  b: PointRef
  pair: Pair
  strategy: string
  why?: string
}

export interface QuestionAnswer {
  question: Question | null
  preparing?: boolean // it is not ready yet; the stream announces it
  left?: string
  done?: string
  totals?: Totals
  others?: number // people who answer beside this one
  expected?: { rows: number } | null
}

export type Say = 'same' | 'different' | 'unsure' | 'skip'

export interface Answered {
  event: number
  contradicts: string | null
  next: QuestionAnswer
}

export interface Repair {
  text: string
  forget?: number[] | null // events
  points?: number[] | null // whose labels in the data are to be forgotten
}

export interface Contradiction {
  message: string
  chain?: { event: number; text: string }[] | null
  repairs?: Repair[] | null
}

export interface Changed {
  events: number[]
  contradicts?: Contradiction | null
  did?: string // what else was done
}

export interface HistoryEvent {
  n: number
  at: string
  op: string
  text: string
  inForce: boolean
  by?: string
  who?: string // the person
  a?: number | null // the points of a pair
  b?: number | null
  fit?: { n: number; method: string; k: number; ariBefore?: number | null; kept?: boolean /* it can be compared with */ } | null
}

export interface Violation {
  event?: number | null
  source?: string
  kind: string
  a: PointRef
  b: PointRef | null
  cost?: number | null
  penalty?: number | null
  text: string
}

export interface Violations {
  violations: Violation[] | null
  satisfied: number
  total: number
}

export interface Suspect {
  event?: number | null
  source?: string
  text: string
  why?: string
  probability: number
  points: number[] | null
}

export interface Suspects {
  ready: boolean
  suspects: Suspect[] | null
}

export interface Links {
  links: { event: number; kind: string; a: number; b: number; weight?: number; violated: boolean }[] | null
  labels: { point: number; label: string; event: number }[] | null
}

export interface Comparison {
  from: { n: number; method?: string; k?: number }
  to: { n: number; method?: string; k?: number }
  moved: number
  ari: number
  rows: { point: number; id: string; from: string; to: string }[] | null
  table: { rows: string[]; columns: string[]; counts: number[][] } | null
  settings: { name: string; from: unknown; to: unknown }[] | null
}

// A column by which rows are filtered and told apart; of a category its values are places in the list of levels.
export interface Facet {
  name: string
  holds: 'number' | 'date' | 'category'
  levels: { name: string; rows: number }[] | null
  missing: number
  rare: number
}

export interface Stroke {
  label: number
  size: number
  points: [number, number][]
  erase: boolean
}
