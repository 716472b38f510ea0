// The parts of Vega that our charts use: no maps, networks or words in clouds, which would double the page.
import {extend} from 'vega-util';
import {transforms} from 'vega-dataflow';
import * as basic from 'vega-transforms';
import * as encode from 'vega-encode';
import * as view from 'vega-view-transforms';
import * as regression from 'vega-regression';

extend(transforms, basic, encode, view, regression);

export {parse} from 'vega-parser';
export {View} from 'vega-view';
