// A block with a round notch, fine at the notch and coarse far from it: unstructured and graded.
SetFactory("OpenCASCADE");
Box(1) = {0, 0, 0, 1, 0.3, 0.2};
Cylinder(2) = {0.35, 0.3, -0.1, 0, 0, 0.4, 0.12};
BooleanDifference(3) = { Volume{1}; Delete; }{ Volume{2}; Delete; };
Physical Volume(1) = {3};
Field[1] = Cylinder;
Field[1].Radius = 0.2;
Field[1].XCenter = 0.35;
Field[1].YCenter = 0.3;
Field[1].ZCenter = 0.1;
Field[1].ZAxis = 1;
Field[1].VIn = 0.05;
Field[1].VOut = 0.13;
Background Field = 1;
Mesh.CharacteristicLengthExtendFromBoundary = 0;
Mesh.Algorithm3D = 1;
