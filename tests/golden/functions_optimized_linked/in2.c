int second_unit;
