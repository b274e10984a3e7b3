#include "server/samples.h"

namespace limber::studio {

const std::vector<SampleScene>& sample_scenes() {
  static const std::vector<SampleScene> scenes{
      {"elephant", "Elephant", "It stands on firm legs. Take it by the trunk or an ear.",
       R"({"limber": 1, "time_step": 0.016666666667, "bodies": [{
        "name": "elephant", "shape": "elephant", "size": [1], "vertices": 10000, "cells": [14],
        "material": {"young": 8e4, "poisson": 0.4, "density": 1000},
        "regions": {"legs": {"young": 5e6, "poisson": 0.4}, "tusks": {"young": 1e8, "poisson": 0.3}},
        "fixed": ["y<=0.04"], "damping": {"mass": 0.3, "stiffness": 0.008},
        "method": "modal-warping", "modes": 32}]})"},
      {"flubber", "Flubber", "Nothing in it is firm: pull its arms, push its head, shake it.",
       R"({"limber": 1, "time_step": 0.016666666667, "bodies": [{
        "name": "flubber", "shape": "flubber", "size": [1], "vertices": 10000, "cells": [12],
        "material": {"young": 2e5, "poisson": 0.42, "density": 1000},
        "fixed": ["y<=0.04"], "damping": {"mass": 0.4, "stiffness": 0.01},
        "method": "modal-warping", "modes": 32}]})"},
      {"bar", "Diving board", "Choi and Ko's bar, clamped at one end. Grab the tip and let go.",
       R"({"limber": 1, "time_step": 0.016666666667, "bodies": [{
        "name": "bar", "shape": "bar", "size": [1, 0.16, 0.2], "cells": [24, 4, 5],
        "material": {"young": 2.5e6, "poisson": 0.4, "density": 1000},
        "fixed": ["x<=0.001"], "damping": {"mass": 0.3, "stiffness": 0.004},
        "method": "modal-warping", "modes": 30}]})"},
      {"reed", "Reed", "A tall, slim stem. Shake its foot.",
       R"({"limber": 1, "time_step": 0.016666666667, "bodies": [{
        "name": "reed", "shape": "cylinder", "size": [0.05, 1.2], "cells": [14, 36, 2],
        "material": {"young": 3e6, "poisson": 0.4, "density": 900},
        "fixed": ["y<=0.001"], "damping": {"mass": 0.15, "stiffness": 0.003},
        "method": "modal-warping", "modes": 30}]})"},
      {"ball", "Jelly ball", "Held at its foot and very soft: push it, pull it, pin it.",
       R"({"limber": 1, "time_step": 0.016666666667, "bodies": [{
        "name": "ball", "shape": "sphere", "size": [0.5], "cells": [6],
        "material": {"young": 6e4, "poisson": 0.45, "density": 1000},
        "fixed": ["y<=-0.4"], "damping": {"mass": 0.3, "stiffness": 0.006},
        "method": "modal-warping", "modes": 40}]})"},
      {"sheet", "Mat", "A thin mat held along one edge hangs down and flaps.",
       R"({"limber": 1, "time_step": 0.016666666667, "bodies": [{
        "name": "mat", "shape": "sheet", "size": [1, 0.03, 0.8], "cells": [28, 1, 22],
        "material": {"young": 2e6, "poisson": 0.35, "density": 600},
        "fixed": ["x<=0.001"], "damping": {"mass": 0.4, "stiffness": 0.004},
        "method": "modal-warping", "modes": 40}]})"},
      {"tube", "Hose", "A hollow tube: twist its end with the Turn tool.",
       R"({"limber": 1, "time_step": 0.016666666667, "bodies": [{
        "name": "hose", "shape": "tube", "size": [0.14, 0.1, 1.1], "cells": [24, 28, 1],
        "material": {"young": 1.2e6, "poisson": 0.4, "density": 900},
        "fixed": ["y<=0.001"], "damping": {"mass": 0.3, "stiffness": 0.004},
        "method": "modal-warping", "modes": 40}]})"},
  };
  return scenes;
}

}  // namespace limber::studio
